/** The values of parameters that the editor has chosen for its documents, over those of the setting `orbit.parameters`. */
import { UriUtils, type URI } from 'langium';
import type { SettingsService } from '../settings.js';

export class ParameterChoices {
    readonly #settings: SettingsService;
    readonly #chosen = new Map<string, Readonly<Record<string, string>>>();

    constructor(settings: SettingsService) {
        this.#settings = settings;
    }

    /** Replaces what was chosen for a document before. */
    choose(uri: URI, values: Readonly<Record<string, string>>): void {
        this.#chosen.set(UriUtils.normalize(uri), values);
    }

    /** By the name of the parameter, as the text would write it. */
    valuesOf(uri: URI): ReadonlyMap<string, string> {
        const ofFile = Object.entries(this.#settings.current.parameters)
            .filter(([file]) => uri.path.endsWith(`/${file}`))
            .flatMap(([, values]) => Object.entries(values));
        return new Map([...ofFile, ...Object.entries(this.#chosen.get(UriUtils.normalize(uri)) ?? {})]);
    }
}
