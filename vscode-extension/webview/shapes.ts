/** Building pictures. */
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A new element of a picture with attributes and children. */
export function shape<Name extends keyof SVGElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
    ...children: readonly Node[]
): SVGElementTagNameMap[Name] {
    const created = document.createElementNS(NAMESPACE, name);
    for (const [attribute, value] of Object.entries(attributes)) {
        created.setAttribute(attribute, value);
    }
    created.append(...children);
    return created;
}

export function textShape(content: string, attributes: Readonly<Record<string, string>>): SVGTextElement {
    const created = shape('text', attributes);
    created.textContent = content;
    return created;
}

/** A picture as the text of a file; the colors of the theme are written into it. */
export function toSvgText(svg: SVGSVGElement): string {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    copy.setAttribute('xmlns', NAMESPACE);
    const originals = [svg, ...svg.querySelectorAll('*')];
    [copy, ...copy.querySelectorAll('*')].forEach((node, index) => {
        const original = originals[index];
        if (original !== undefined) {
            const style = getComputedStyle(original);
            const shown = PAINTED.map(name => `${name}:${style.getPropertyValue(name)}`);
            node.setAttribute('style', shown.join(';'));
        }
    });
    return copy.outerHTML;
}

const PAINTED = [
    'fill',
    'stroke',
    'stroke-width',
    'stroke-dasharray',
    'font-family',
    'font-size',
    'font-weight',
    'text-anchor',
    'visibility',
];
