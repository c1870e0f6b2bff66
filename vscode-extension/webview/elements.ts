/** Building the document of a panel. Text always enters as text, never as markup. */
import type {
    FrameMessage,
    GraphMessage,
    PanelMessage,
    ReadyMessage,
    SweepMessage,
    SymmetryMessage,
} from './messages.js';

/** The interface of VS Code for the scripts of a webview. */
interface WebviewApi {
    postMessage(
        message: ReadyMessage | FrameMessage | PanelMessage | GraphMessage | SymmetryMessage | SweepMessage,
    ): void;
    getState(): object | undefined;
    setState(state: object): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The connection to the extension. May be acquired once only. */
export const extensionHost = acquireVsCodeApi();

type Child = Node | string | undefined;

/** A new element with attributes and children; an undefined child or attribute is left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string | undefined>> = {},
    ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
    const created = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        if (value !== undefined) {
            created.setAttribute(attribute, value);
        }
    }
    created.append(...children.filter(child => child !== undefined));
    return created;
}

/** A message with the text between backquotes as code. */
export function withCode(message: string): (Node | string)[] {
    return message.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}

/** A button that calls `onClick`. */
export function button(text: string, attributes: Readonly<Record<string, string>>, onClick: () => void): HTMLElement {
    const created = element('button', { type: 'button', ...attributes }, text);
    created.addEventListener('click', onClick);
    return created;
}
