/**
 * The messages between the extension and its panels. The extension sends the whole content after each change; a panel
 * that was hidden asks for it with `ready`.
 */
import type {
    DocumentLocation,
    ExploreDocument,
    ExploreProgress,
    ProblemsDocument,
    Reduction,
    SymmetryDocument,
} from '../../language-server/protocol.js';

/** The state of an exploration. */
export type RunState =
    | { readonly kind: 'running'; readonly progress: ExploreProgress | undefined; readonly isCancelling: boolean }
    | { readonly kind: 'finished'; readonly document: ExploreDocument | ProblemsDocument }
    | { readonly kind: 'cancelled'; readonly progress: ExploreProgress | undefined }
    | { readonly kind: 'failed'; readonly message: string };

export interface RunContent {
    /** Shown to people: the file's name. */
    readonly fileName: string;
    readonly reduction: Reduction;
    /** The only property that is checked, if not all. */
    readonly property: string | undefined;
    readonly runId: string;
    /** The version of the explored text, as soon as the server has named it. */
    readonly version: number | undefined;
    /** Whether the text has changed since. */
    readonly isStale: boolean;
    readonly run: RunState;
}

export interface SymmetriesContent {
    readonly fileName: string;
    readonly version: number;
    readonly isStale: boolean;
    readonly document: SymmetryDocument | ProblemsDocument;
}

export interface ContentMessage<Content> {
    readonly kind: 'content';
    readonly content: Content;
}

export type PanelMessage =
    | { readonly kind: 'ready' }
    | { readonly kind: 'cancel' }
    | { readonly kind: 'explore'; readonly reduction: Reduction }
    | { readonly kind: 'reveal'; readonly location: DocumentLocation };
