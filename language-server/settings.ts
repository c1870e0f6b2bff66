/**
 * The settings under `orbit.*` that the server reads, with their defaults. package.json declares the same ones for the
 * editor (`contributes.configuration`); a test compares the two.
 *
 * An editor may send anything, or nothing: a value of the wrong kind counts as absent.
 */
import type { LangiumSharedServices } from 'langium/lsp';
import { Emitter, type Event } from 'langium';

/** `off` shows nothing. */
export type DiagnosticLevel = 'off' | 'hint' | 'information' | 'warning' | 'error';

export interface OrbitSettings {
    /** The group and the commands above the model. */
    readonly codeLensModel: boolean;
    /** Instances and orbits above each process family. */
    readonly codeLensProcesses: boolean;
    /** Interchangeable values above each type. */
    readonly codeLensTypes: boolean;
    /** `Check` and the symmetries kept, above each property. */
    readonly codeLensProperties: boolean;
    /** Symmetry roles in hovers. */
    readonly hoverSymmetry: boolean;
    /** Values beside the uses of parameters. */
    readonly inlayParameterValues: boolean;
    /** Values beside constants that are computed. */
    readonly inlayConstants: boolean;
    /** Numbers of values beside types. */
    readonly inlayDomainSizes: boolean;
    /** Of warnings: what is probably not meant. Errors cannot be switched off. */
    readonly warnings: DiagnosticLevel;
    /** Codes of warnings that are not shown. */
    readonly hiddenCodes: readonly string[];
    /** Of diagnostics for what breaks a symmetry that a declaration suggests. */
    readonly brokenSymmetry: DiagnosticLevel;
    /** Of diagnostics for properties that reduce the usable group. */
    readonly reducingProperty: DiagnosticLevel;
    /** What a symmetry analysis may spend, in seconds. */
    readonly analysisSeconds: number;
    /** Where an exploration ends undecided. */
    readonly maximumSeconds: number;
    readonly maximumMegabytes: number;
    readonly maximumStates: number;
    /** Threads that search where there is enough to do, if the machine has as many processors. */
    readonly maximumThreads: number;
    readonly continueAfterViolation: boolean;
}

type SettingValue = boolean | number | string | readonly string[];

/** Path below `orbit.`, default, and the check of a value that came from the editor. */
interface Setting<T extends SettingValue> {
    readonly path: string;
    readonly fallback: T;
    readonly accepts: (value: unknown) => value is T;
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && isPositive(value);
const isTexts = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every(element => typeof element === 'string');
const isLevel = (value: unknown): value is DiagnosticLevel =>
    value === 'off' || value === 'hint' || value === 'information' || value === 'warning' || value === 'error';

// prettier-ignore
export const SETTINGS: { readonly [K in keyof OrbitSettings]: Setting<OrbitSettings[K]> } = {
    codeLensModel:          { path: 'codeLens.model',                 fallback: true,          accepts: isBoolean },
    codeLensProcesses:      { path: 'codeLens.processes',             fallback: true,          accepts: isBoolean },
    codeLensTypes:          { path: 'codeLens.types',                 fallback: true,          accepts: isBoolean },
    codeLensProperties:     { path: 'codeLens.properties',            fallback: true,          accepts: isBoolean },
    hoverSymmetry:          { path: 'hover.symmetry',                 fallback: true,          accepts: isBoolean },
    inlayParameterValues:   { path: 'inlayHints.parameterValues',     fallback: false,         accepts: isBoolean },
    inlayConstants:         { path: 'inlayHints.constants',           fallback: false,         accepts: isBoolean },
    inlayDomainSizes:       { path: 'inlayHints.domainSizes',         fallback: false,         accepts: isBoolean },
    warnings:               { path: 'diagnostics.warnings',           fallback: 'warning',     accepts: isLevel },
    hiddenCodes:            { path: 'diagnostics.hide',               fallback: [],            accepts: isTexts },
    brokenSymmetry:         { path: 'symmetry.diagnostics.severity',  fallback: 'information', accepts: isLevel },
    reducingProperty:       { path: 'symmetry.properties.severity',   fallback: 'information', accepts: isLevel },
    analysisSeconds:        { path: 'symmetry.timeLimit',             fallback: 10,            accepts: isPositive },
    maximumSeconds:         { path: 'explore.timeLimit',              fallback: 600,           accepts: isPositive },
    maximumMegabytes:       { path: 'explore.maximumMemory',          fallback: 2048,          accepts: isCount },
    maximumStates:          { path: 'explore.maximumStates',          fallback: 50_000_000,    accepts: isCount },
    maximumThreads:         { path: 'explore.maximumThreads',         fallback: 4,             accepts: isCount },
    continueAfterViolation: { path: 'explore.continueAfterViolation', fallback: false,         accepts: isBoolean },
};

/** The settings in what the editor sent for the section `orbit`. */
export function readSettings(section: unknown): OrbitSettings {
    const read = <T extends SettingValue>(setting: Setting<T>): T => {
        const value = valueAt(section, setting.path);
        return setting.accepts(value) ? value : setting.fallback;
    };
    return {
        codeLensModel: read(SETTINGS.codeLensModel),
        codeLensProcesses: read(SETTINGS.codeLensProcesses),
        codeLensTypes: read(SETTINGS.codeLensTypes),
        codeLensProperties: read(SETTINGS.codeLensProperties),
        hoverSymmetry: read(SETTINGS.hoverSymmetry),
        inlayParameterValues: read(SETTINGS.inlayParameterValues),
        inlayConstants: read(SETTINGS.inlayConstants),
        inlayDomainSizes: read(SETTINGS.inlayDomainSizes),
        warnings: read(SETTINGS.warnings),
        hiddenCodes: read(SETTINGS.hiddenCodes),
        brokenSymmetry: read(SETTINGS.brokenSymmetry),
        reducingProperty: read(SETTINGS.reducingProperty),
        analysisSeconds: read(SETTINGS.analysisSeconds),
        maximumSeconds: read(SETTINGS.maximumSeconds),
        maximumMegabytes: read(SETTINGS.maximumMegabytes),
        maximumStates: read(SETTINGS.maximumStates),
        maximumThreads: read(SETTINGS.maximumThreads),
        continueAfterViolation: read(SETTINGS.continueAfterViolation),
    };
}

/** The settings as they are now: the defaults until the editor has sent its own. */
export interface SettingsService {
    readonly current: OrbitSettings;
    readonly onChange: Event<OrbitSettings>;
}

/** Follows the configuration that the editor sends. */
export function createSettingsService(shared: LangiumSharedServices): SettingsService {
    const emitter = new Emitter<OrbitSettings>();
    const provider = shared.workspace.ConfigurationProvider;
    let current = readSettings(undefined);

    function update(section: unknown): void {
        current = readSettings(section);
        emitter.fire(current);
    }

    // Editors that let the server ask: the provider has asked once it is ready, but gives out one entry at a time.
    const entries = [...new Set(Object.values(SETTINGS).map(setting => setting.path.split('.')[0] ?? ''))];
    void provider.ready.then(async () => {
        const values = await Promise.all(
            entries.map(async entry => [entry, (await provider.getConfiguration('orbit', entry)) as unknown] as const),
        );
        if (values.some(([, value]) => value !== undefined)) {
            update(Object.fromEntries(values));
        }
    });
    provider.onConfigurationSectionUpdate(({ section, configuration }) => {
        if (section === 'orbit') {
            update(configuration as unknown);
        }
    });
    return {
        get current() {
            return current;
        },
        onChange: emitter.event,
    };
}

/** The value under a dotted path of nested objects. */
function valueAt(section: unknown, path: string): unknown {
    let value = section;
    for (const name of path.split('.')) {
        if (typeof value !== 'object' || value === null) {
            return undefined;
        }
        value = (value as Record<string, unknown>)[name];
    }
    return value;
}
