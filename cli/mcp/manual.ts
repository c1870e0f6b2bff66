/** The manual as resources: a page for each part of the language, of the commands, and for all messages. */
import { isRecord } from '../../engine/common/record.js';
import { INVALID_PARAMS, RequestError, parsed } from './json-rpc.js';

const SCHEME = 'orbit://manual/';

interface Page {
    readonly name: string;
    readonly title: string;
    readonly text: string;
}

/** `manual` is that of cli/build.js. */
export function listPages(manual: string): object {
    const resources = pagesOf(manual).map(({ name, title, text }) => ({
        uri: SCHEME + name,
        name,
        title,
        mimeType: 'text/markdown',
        size: new TextEncoder().encode(text).length,
    }));
    return { resources };
}

/** Throws RequestError for a page that is not there. */
export function readPage(manual: string, uri: unknown): object {
    const page = pagesOf(manual).find(({ name }) => SCHEME + name === uri);
    if (page === undefined) {
        throw new RequestError(INVALID_PARAMS, `there is no resource ${JSON.stringify(uri)}; resources/list has all`);
    }
    return { contents: [{ uri: SCHEME + page.name, mimeType: 'text/markdown', text: page.text }] };
}

function pagesOf(manual: string): Page[] {
    const pages = parsed(manual);
    return Object.entries(isRecord(pages) ? pages : {}).map(([name, page]) => {
        const { title = name, text = '' } = isRecord(page) ? page : {};
        return { name, title: String(title), text: String(text) };
    });
}
