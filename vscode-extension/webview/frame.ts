/** What is around the content of every panel: the line with its views and the pin, and the messages that bring both. */
import { button, element, extensionHost } from './elements.js';
import type { ContentMessage, PanelState, ViewName } from './messages.js';

const VIEWS: readonly (readonly [ViewName, string])[] = [
    ['result-panel', 'Run'],
    ['symmetry-panel', 'Symmetries'],
    ['graph-panel', 'State graph'],
    ['sweep-panel', 'Sweep'],
];

const frame = document.getElementById('frame') as HTMLElement;
const root = document.getElementById('root') as HTMLElement;

/** Asks for the content and calls `show` whenever it has come; other messages go to `receive`. */
export function showContent<Content, Other extends { readonly kind: string } = never>(
    show: (content: Content) => void,
    receive: (message: Other) => void = () => undefined,
): void {
    let shown: string | undefined;
    window.addEventListener('message', ({ data }: MessageEvent<ContentMessage<Content> | Other>) => {
        if (!isContent(data)) {
            receive(data);
            return;
        }
        const { state, content } = data;
        if (shown !== JSON.stringify(state)) {
            shown = JSON.stringify(state);
            keep({ panel: state });
            const focused = document.activeElement?.id;
            frame.replaceChildren(...frameParts(state));
            document.getElementById(focused ?? '')?.focus({ preventScroll: true });
        }
        if (content === undefined) {
            root.replaceChildren(element('p', { class: 'muted' }, 'Nothing yet …'));
        } else {
            show(content);
        }
    });
    extensionHost.postMessage({ kind: 'ready' });
}

function isContent<Content>(data: ContentMessage<Content> | { kind: string }): data is ContentMessage<Content> {
    return data.kind === 'content';
}

/** Stores a part of what is kept while the panel is hidden, and with the window. */
export function keep(part: object): void {
    extensionHost.setState({ ...extensionHost.getState(), ...part });
}

function frameParts({ view, isPinned }: PanelState): readonly Node[] {
    const views = VIEWS.map(([name, text]) =>
        button(text, { class: 'link', id: `view-${name}`, 'aria-current': String(name === view) }, () =>
            extensionHost.postMessage({ kind: 'view', view: name }),
        ),
    );
    const title = isPinned ? 'Follow the editor again' : 'Stay with this model when the editor shows another one';
    const pin = button(isPinned ? 'Pinned' : 'Pin', { class: 'link', id: 'pin', title }, () =>
        extensionHost.postMessage({ kind: 'pin', isPinned: !isPinned }),
    );
    return [...views, pin];
}
