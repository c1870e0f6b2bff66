/**
 * The messages between the extension and its panels. The extension sends the whole content after each change; a panel
 * that was hidden asks for it with `ready`.
 */
import type {
    DocumentLocation,
    DocumentTitle,
    EverySizeDocument,
    ExploreDocument,
    ProblemsDocument,
    SimulateDocument,
    SymmetryDocument,
    TraceEntryDocument,
    UnfairStepDocument,
} from '../../language-server/document-schema.js';
import type {
    DocumentParameter,
    ExploreProgress,
    GraphDocument,
    KeptDocument,
    MatchAnswer,
    ParameterRange,
    AskedReduction,
    ResultAnswer,
    StatePath,
    StepsResult,
    UnfoldResult,
} from '../../language-server/protocol.js';

/** The state of an exploration. */
export type RunState =
    | { readonly kind: 'running'; readonly progress: ExploreProgress | undefined; readonly isCancelling: boolean }
    | { readonly kind: 'finished'; readonly document: ExploreDocument | ProblemsDocument }
    | { readonly kind: 'cancelled'; readonly progress: ExploreProgress | undefined }
    | { readonly kind: 'failed'; readonly message: string }
    /** Nothing was explored: the user goes step by step, after these entries. */
    | { readonly kind: 'walk'; readonly document: DocumentTitle & Pick<SimulateDocument, 'trace'> }
    /** All values of parameters were asked for. */
    | {
          readonly kind: 'everySize';
          readonly names: readonly string[];
          readonly document: EverySizeDocument | ProblemsDocument;
      }
    | LogRun
    /** Nothing is known of the model. */
    | { readonly kind: 'none' };

/** A log was judged by the model. */
export interface LogRun {
    readonly kind: 'log';
    /** Its URI and, for people, its name and that of the mapping beside the model. */
    readonly log: string;
    readonly logName: string;
    readonly mappingName: string;
    readonly answer: MatchAnswer;
    /** Absent if the model has errors. */
    readonly title?: DocumentTitle;
}

export interface RunContent {
    readonly uri: string;
    /** Shown to people: the file's name. */
    readonly fileName: string;
    readonly reduction: AskedReduction;
    /** The only property that is checked, if not all. */
    readonly property: string | undefined;
    /** The parts of the only run that is looked for. */
    readonly find?: string | undefined;
    /** What the run to show first is about, if it was opened for that. */
    readonly wanted?: string | undefined;
    readonly runId: string;
    /** Whether the text has changed since, or the value of a parameter. */
    readonly isStale: boolean;
    /** Whether only parameters have other values now. */
    readonly isOfText: boolean;
    readonly run: RunState;
    /** The expressions whose values are shown in each state; they are kept with the document. */
    readonly asked: readonly string[];
    /** The parameters of the document as they are now. */
    readonly parameters: readonly DocumentParameter[];
    /** Everything that the model states, in the order of the text. */
    readonly stated: readonly StatedProperty[];
    /** Other runs of the document that are kept, the newest first. */
    readonly history: readonly EarlierRun[];
}

/** Something that the model states, with its last answer. */
export interface StatedProperty {
    /** As in `ExploreParams.property`. */
    readonly name: string;
    /** `no deadlock, no fault` */
    readonly label: string;
    /** `open`: the text as it is now has no answer, though an earlier one may have. */
    readonly mark: ResultAnswer['verdict'] | 'running' | 'open';
    /** Of the answer: `holds in 31 orbits, N = 5`. */
    readonly summary: string;
    /** Whether it can be checked on its own. */
    readonly isProperty: boolean;
}

/** A run of the same document. */
export interface EarlierRun {
    readonly runId: string;
    readonly reduction: AskedReduction;
    readonly property: string | undefined;
    /** `N = 5`; empty without parameters. */
    readonly parameters: string;
    readonly verdict: ExploreDocument['verdict'];
    /** `all 32,768 states; 3,280 explored (10x)`. */
    readonly where: string;
    readonly seconds: number;
}

export interface SymmetriesContent {
    readonly fileName: string;
    readonly version: number;
    readonly isStale: boolean;
    readonly document: SymmetryDocument | ProblemsDocument;
}

/** A state graph, or the part of one. */
export interface GraphContent {
    readonly fileName: string;
    readonly reduction: AskedReduction;
    readonly isStale: boolean;
    readonly isOfText: boolean;
    readonly parameters: readonly DocumentParameter[];
    readonly document: GraphDocument | ProblemsDocument;
    /** The states of the orbit that was unfolded last. */
    readonly unfolded?: UnfoldResult;
}

/** What a panel can show of a model: the name of a script, and of its style, in dist/webview. */
export type ViewName = 'result-panel' | 'symmetry-panel' | 'graph-panel' | 'sweep-panel';

/** The contents of a panel. The webview keeps it, so that the panel comes back with the window. */
export interface PanelState {
    readonly uri: string;
    readonly view: ViewName;
    /** It stays with its document, whatever the editor shows. */
    readonly isPinned: boolean;
}

export interface ContentMessage<Content> {
    readonly kind: 'content';
    readonly state: PanelState;
    /** Undefined while it is not known yet. */
    readonly content: Content | undefined;
}

/** Of every panel, whatever it shows. */
export type FrameMessage =
    | { readonly kind: 'pin'; readonly isPinned: boolean }
    | { readonly kind: 'view'; readonly view: ViewName }
    /** Of two places only those whose texts are in sight are shown, if there are any. */
    | { readonly kind: 'reveal'; readonly location: DocumentLocation; readonly also?: DocumentLocation }
    /** Write `text` into a file that the user chooses. */
    | { readonly kind: 'save'; readonly name: string; readonly text: string };

/** The answer to a question of the panel, with its number. */
export interface StepsMessage {
    readonly kind: 'steps';
    readonly question: number;
    readonly result: StepsResult;
}

/** A panel has come into being, and has nothing to show. */
export interface ReadyMessage {
    readonly kind: 'ready';
}

export type PanelMessage =
    | { readonly kind: 'cancel' }
    | { readonly kind: 'explore'; readonly reduction: AskedReduction }
    /** Go step by step, from the start. */
    | { readonly kind: 'walk' }
    /** Judge this log again. */
    | { readonly kind: 'matchLog'; readonly log: string }
    /** Ask for the parts of a run. */
    | { readonly kind: 'find' }
    /** Write the run that was looked for into the text. */
    | { readonly kind: 'keepRun' }
    /** Check these one by one; their marks tell the answers. */
    | { readonly kind: 'check'; readonly properties: readonly string[] }
    /** The only or first parameter, if no name is given. */
    | { readonly kind: 'changeParameter'; readonly name: string | undefined }
    | { readonly kind: 'openRun'; readonly runId: string }
    /** The run that has answered a property, or a new one. */
    | { readonly kind: 'openAnswer'; readonly property: string }
    /** Check a property for these values of parameters, which then count in this workspace. */
    | {
          readonly kind: 'checkFor';
          readonly values: Readonly<Record<string, number>>;
          readonly property: string | undefined;
      }
    | { readonly kind: 'allowDeadlock' }
    /** Write `fair` or `strong fair` before what the run never takes. */
    | { readonly kind: 'makeFair'; readonly step: UnfairStepDocument }
    | { readonly kind: 'openSetting'; readonly setting: string }
    /** Answered by a StepsMessage with the same number. */
    | {
          readonly kind: 'steps';
          readonly question: number;
          readonly state?: TraceEntryDocument['state'];
          readonly towards?: string;
          /** As in StepsParams. */
          readonly created?: Readonly<Record<string, number>>;
          /** The number of a violation, whose run is tried on the present text. */
          readonly along?: number;
          /** As in StepsParams. */
          readonly asked?: readonly string[];
      }
    /** Ask each state for one more value. */
    | { readonly kind: 'addAsked' }
    | { readonly kind: 'removeAsked'; readonly expression: string };

/** Explorations for one value of a parameter after the other. */
export interface SweepContent {
    readonly fileName: string;
    readonly range: ParameterRange;
    readonly reduction: AskedReduction;
    readonly continuesAfterViolation: boolean;
    readonly isStale: boolean;
    /** In the order of the values. */
    readonly rows: readonly SweptValue[];
    readonly state:
        { readonly kind: 'running' | 'finished' | 'cancelled' } | { readonly kind: 'failed'; readonly message: string };
}

export interface SweptValue {
    readonly value: number;
    readonly document: KeptDocument;
}

/** Of the panel with a sweep. */
export type SweepMessage =
    | { readonly kind: 'cancel' }
    /** Ask for another range. */
    | { readonly kind: 'change' }
    | { readonly kind: 'again'; readonly reduction: AskedReduction; readonly continuesAfterViolation: boolean }
    /** Explore this value in the panel of explorations. */
    | { readonly kind: 'open'; readonly value: number };

/** Of the panel with symmetries. */
export type SymmetryMessage =
    /** Mark these declarations, and their uses, in the text. */
    | { readonly kind: 'mark'; readonly names: readonly string[] }
    /** Answered by a StateMessage. */
    | { readonly kind: 'state'; readonly factor: number };

/** States for a factor to be shown on: the first that it changes will do. */
export interface StateMessage {
    readonly kind: 'state';
    readonly factor: number;
    /** Empty if the model has no initial state, or errors. */
    readonly states: readonly ShownState[];
}

export interface ShownState {
    readonly what: 'the last state of the run' | 'an initial state' | 'a state after one step';
    readonly state: TraceEntryDocument['state'];
}

/** Of the panel with a state graph. */
export type GraphMessage =
    | { readonly kind: 'explore'; readonly reduction: AskedReduction }
    | { readonly kind: 'around'; readonly path: StatePath }
    | { readonly kind: 'unfold'; readonly path: StatePath };
