/**
 * The results of explorations over sessions. What lenses, problems and tests need of each is in the storage of the
 * workspace; the results with their traces are files of their own, since they may be large. Both are capped, and the
 * oldest go first.
 */
import * as vscode from 'vscode';
import type { ExploreDocument } from '../language-server/document-schema.js';
import type { KeptRun } from '../language-server/protocol.js';

/** Results of one document. */
const MOST_RUNS = 40;
/** Documents with results. */
const MOST_DOCUMENTS = 200;
/** Results with their traces, of all documents. */
const MOST_FILES = 60;
/** A larger one is not written. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Results with their traces that are held in memory. */
const MOST_HELD = 8;

const PREFIX = 'orbit.runs:';

/** The part of the editor's storage that is used here. */
export interface RunStorage {
    readonly memento: Pick<vscode.Memento, 'get' | 'keys' | 'update'>;
    /** The folder for files; absent if there is none. */
    readonly folder: vscode.Uri | undefined;
    readonly files: Pick<
        typeof vscode.workspace.fs,
        'readFile' | 'writeFile' | 'readDirectory' | 'createDirectory' | 'delete'
    >;
    readonly logError: (message: string) => void;
}

export class RunStore {
    private readonly storage: RunStorage;
    /** The results of this session with their traces, by run; the one used last at the end. */
    private readonly held = new Map<string, ExploreDocument>();

    constructor(storage: RunStorage) {
        this.storage = storage;
    }

    /** The results of a document, the newest first. */
    runsOf(uri: string): readonly KeptRun[] {
        return this.storage.memento.get<readonly KeptRun[]>(PREFIX + uri) ?? [];
    }

    /** Stores a result. It is there at once, on disk when the promise resolves. */
    async add(uri: string, kept: KeptRun, document: ExploreDocument): Promise<void> {
        this.hold(kept.runId, document);
        const others = this.runsOf(uri).filter(run => !isSameQuestion(run, kept));
        await this.storage.memento.update(PREFIX + uri, [kept, ...others].slice(0, MOST_RUNS));
        await this.forgetOldDocuments();
        await this.write(kept.runId, document);
    }

    /** Drops the results of a document; their traces go when others take their place. */
    async forget(uri: string): Promise<void> {
        await this.storage.memento.update(PREFIX + uri, undefined);
    }

    /** The result of a run with its traces; undefined if they were too large or too old to be kept. */
    async documentOf(runId: string): Promise<ExploreDocument | undefined> {
        const held = this.held.get(runId);
        if (held !== undefined) {
            return held;
        }
        const file = this.fileOf(runId);
        if (file === undefined) {
            return undefined;
        }
        try {
            const text = new TextDecoder().decode(await this.storage.files.readFile(file));
            const document = JSON.parse(text) as ExploreDocument;
            this.hold(runId, document);
            return document;
        } catch {
            // It was dropped, or the disk is another one: the run can be repeated.
            return undefined;
        }
    }

    private hold(runId: string, document: ExploreDocument): void {
        this.held.delete(runId);
        this.held.set(runId, document);
        for (const oldest of [...this.held.keys()].slice(0, -MOST_HELD)) {
            this.held.delete(oldest);
        }
    }

    private async write(runId: string, document: ExploreDocument): Promise<void> {
        const file = this.fileOf(runId);
        const { folder, files, logError } = this.storage;
        const bytes = new TextEncoder().encode(JSON.stringify(document));
        if (file === undefined || folder === undefined || bytes.length > MOST_BYTES) {
            return;
        }
        try {
            await files.createDirectory(folder);
            await files.writeFile(file, bytes);
            const names = (await files.readDirectory(folder)).map(([name]) => name).sort();
            for (const oldest of names.slice(0, -MOST_FILES)) {
                await files.delete(vscode.Uri.joinPath(folder, oldest));
            }
        } catch (error) {
            logError(`a result could not be kept on disk: ${String(error)}`);
        }
    }

    private async forgetOldDocuments(): Promise<void> {
        const { memento } = this.storage;
        const keys = memento.keys().filter(key => key.startsWith(PREFIX));
        if (keys.length > MOST_DOCUMENTS) {
            const newest = (key: string): number => memento.get<readonly KeptRun[]>(key)?.at(0)?.finishedAt ?? 0;
            const oldest = keys
                .sort((one, other) => newest(one) - newest(other))
                .slice(0, keys.length - MOST_DOCUMENTS);
            for (const key of oldest) {
                await memento.update(key, undefined);
            }
        }
    }

    /** The names of runs begin with the time, so that they sort by age. */
    private fileOf(runId: string): vscode.Uri | undefined {
        return this.storage.folder && vscode.Uri.joinPath(this.storage.folder, `${runId}.json`);
    }
}

/** A newer answer to the same question about the same model, or to one text with the same values, takes its place. */
function isSameQuestion(one: KeptRun, other: KeptRun): boolean {
    const question = ({ reduction, property, document }: KeptRun): string =>
        JSON.stringify([reduction, property ?? null, document.params]);
    return question(one) === question(other);
}
