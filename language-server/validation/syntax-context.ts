/**
 * Messages for syntax errors that depend on the text before the place where the parser stops: the word that began the
 * statement, the condition that is being read, the brace that is still open.
 */
import { EQUALITY, type SyntaxError } from '../parsing/parser-error-message-provider.js';
import { explainWord, explainWordInProperty, IMPLICATION } from '../parsing/unknown-words.js';
import { instead } from '../../language/problems/remedy.js';

/** What is looked at before an error: longer statements are rare, and many errors must not take long. */
const MOST_CHARACTERS_BEFORE = 2_000;

/** The message in the light of the text before it; the error as it is where that says nothing more. */
export function explainInContext(text: string, error: SyntaxError): SyntaxError {
    const { code, offset, length } = error;
    if (code !== 'syntax/unexpected' && code !== 'syntax/character' && code !== 'property/place') {
        return error;
    }
    const found = text.slice(offset, offset + length);
    const before = withoutComments(text.slice(Math.max(0, offset - MOST_CHARACTERS_BEFORE), offset));
    return (
        explainRuns(text, before, found, error) ??
        explainValues(before, found, error) ??
        explainedWordBefore(text, before, offset) ??
        explainEither(text, before, found, offset) ??
        explainIndices(text, before, found, offset) ??
        explainByToken(before, found, error) ??
        error
    );
}

/** The offset of the brace that is to blame for an error at `offset`, and how it is known; undefined if none is open. */
export interface OpenBrace {
    readonly offset: number;
    /** Whether the layout shows it: braces later in the text close it, but stand further to the left. */
    readonly isByLayout: boolean;
}

/**
 * The brace without an end before `offset`: the first whose closing brace begins a line further to the left than its
 * own line, else the last that is open. O(offset).
 */
export function openBraceBefore(text: string, offset: number): OpenBrace | undefined {
    const open: number[] = [];
    let byLayout: number | undefined;
    const code = withoutComments(text.slice(0, offset));
    for (const { index, 0: brace } of code.matchAll(/[{}]/g)) {
        if (brace === '{') {
            open.push(index);
            continue;
        }
        const start = open.pop();
        const indentation = /^[ \t]*$/.exec(code.slice(code.lastIndexOf('\n', index) + 1, index))?.[0].length;
        if (start !== undefined && indentation !== undefined && indentation < indentationOf(code, start)) {
            byLayout ??= start;
        }
    }
    const last = open.at(-1);
    return last === undefined ? undefined : { offset: byLayout ?? last, isByLayout: byLayout !== undefined };
}

/** By offset 1 where a brace is open before it. O(text). */
export function bracesOpenIn(text: string): Uint8Array {
    const code = withoutComments(text);
    const isOpen = new Uint8Array(code.length + 1);
    let depth = 0;
    for (let offset = 0; offset < code.length; offset++) {
        const sign = code.charAt(offset);
        depth += sign === '{' ? 1 : sign === '}' && depth > 0 ? -1 : 0;
        isOpen[offset + 1] = Math.min(depth, 1);
    }
    return isOpen;
}

function indentationOf(text: string, offset: number): number {
    const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
    return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

/** The text with spaces in the place of comments and names of files, so that offsets stay. */
function withoutComments(text: string): string {
    return text.replace(/\/\/[^\n]*|"[^"\n]*"/g, match => ' '.repeat(match.length));
}

/** `assert symmetric values` without `of` is read as an assertion about a family `values`. */
function explainValues(before: string, found: string, error: SyntaxError): SyntaxError | undefined {
    return /^[A-Za-z_]\w*$/.test(found) && /\bassert[ \t]+symmetric[ \t]+values[ \t]+$/.test(before)
        ? { ...at(error), text: `\`of\` is missing: \`assert symmetric values of ${found}\`` }
        : undefined;
}

function at({ offset, length }: SyntaxError): Omit<SyntaxError, 'text'> {
    return { code: 'syntax/unexpected', offset, length };
}

/** A word of another language before a syntax error: to the parser `spawn` is a name, and `spawn Q(1)` wrong at `(`. */
function explainedWordBefore(text: string, before: string, offset: number): SyntaxError | undefined {
    const statement = /[^;{}\n]*$/.exec(before.slice(-200))?.[0] ?? '';
    // A label declares its name.
    for (const match of statement.matchAll(/[A-Za-z_]\w*(?!\w|\s*:(?!=))/g)) {
        const start = before.length - statement.length + match.index;
        const isKnown = isWordHere(match[0], before.slice(0, start), statement.slice(match.index));
        const known = isKnown ? undefined : explainWord(match[0]);
        if (known !== undefined && !isDeclared(match[0], text)) {
            return { ...known, offset: offset - statement.length + match.index, length: match[0].length };
        }
    }
    return undefined;
}

/** Whether a word has its meaning: one about runs in a property, `fair` before what can be fair, `new` behind `:=`. */
function isWordHere(word: string, before: string, rest: string): boolean {
    return word === 'fair'
        ? /^fair\s+(?:(?:process|event)\b|\w+\s*:)/.test(rest)
        : word === 'new'
          ? /:=\s*$/.test(before)
          : explainWord(word)?.code === 'property/place' && isAboutRuns(before);
}

/** Whether the text declares a word as a name. */
function isDeclared(word: string, text: string): boolean {
    const words = 'param|const|type|record|enum|var|let|channel|event|function|process|invariant|property|assume';
    return new RegExp(`\\b(?:${words})\\s+${word}\\b`).test(text);
}

/** Whether the text may bind a word, as in `forall G in T`. */
function isBound(word: string, text: string): boolean {
    return new RegExp(`\\b${word}\\s*(?:[,:]|in\\b)`).test(text);
}

/** Operators of other languages in a property: a word there may be the variable of a quantifier. */
function explainRuns(text: string, before: string, found: string, error: SyntaxError): SyntaxError | undefined {
    if (!isAboutRuns(before)) {
        return undefined;
    }
    if (error.code === 'property/place') {
        return { ...at(error), text: `\`${found}\` cannot stand here` };
    }
    const { offset } = error;
    const [sign = ''] = /(?:\[\]|<>)+\s*$/.exec(before) ?? [];
    const [operator = ''] = /^(?:\[\]|<>)+/.exec(text.slice(offset)) ?? [];
    const [word = ''] = /[A-Za-z_]\w*\s*$/.exec(before) ?? [];
    const candidates = [
        { written: sign.trimEnd() + operator, at: offset - sign.length },
        { written: found, at: offset },
        { written: word.trimEnd(), at: offset - word.length },
    ];
    for (const { written, at } of candidates) {
        const known = explainWordInProperty(written);
        if (known !== undefined && !(/^\w/.test(written) && (isDeclared(written, text) || isBound(written, text)))) {
            return { ...known, offset: at, length: written.length };
        }
    }
    return undefined;
}

/** `either { … } or { … }`: to the parser `either` is an event with a body, and wrong is `or`. */
function explainEither(text: string, before: string, found: string, offset: number): SyntaxError | undefined {
    if (found !== 'or' || !before.trimEnd().endsWith('}')) {
        return undefined;
    }
    let depth = 0;
    for (let index = before.length - 1; index >= 0; index--) {
        depth += before[index] === '}' ? 1 : before[index] === '{' ? -1 : 0;
        if (depth === 0 && before[index] === '{') {
            const word = /\beither\s*$/.exec(before.slice(0, index));
            const known = explainWord('either');
            return word === null || known === undefined || isDeclared('either', text)
                ? undefined
                : { ...known, offset: offset - before.length + word.index, length: 'either'.length };
        }
    }
    return undefined;
}

/** `var a[3]: bool`, as in languages where the indices belong to the name. */
function explainIndices(text: string, before: string, found: string, offset: number): SyntaxError | undefined {
    const declared = found === '[' ? /\b(var|const|param)\s+(\w+)\s*$/.exec(before) : null;
    if (declared === null) {
        return undefined;
    }
    const [, word = '', name = ''] = declared;
    const rest = text.slice(offset, offset + 200);
    const [whole = '', index = 'I', type = ''] = /^\[([^[\]\n]*)\][ \t]*:[ \t]*([^=\n/]*[^=\n/\s])/.exec(rest) ?? [];
    const size = Number(index);
    const indices = Number.isSafeInteger(size) && size > 0 ? `0 .. ${size - 1}` : index;
    const message = 'the indices stand behind the type';
    const declaration = `${word} ${name}: ${type}[${indices}]`;
    return type === ''
        ? { code: 'syntax/unexpected', text: `${message}: \`${word} ${name}: T[${indices}]\``, offset, length: 1 }
        : {
              code: 'syntax/unexpected',
              ...instead(`${message}: write \`${declaration}\``, declaration),
              offset: offset - declared[0].length,
              length: declared[0].length + whole.length,
          };
}

/** A condition that has begun, up to the error. */
const CONDITION = /\b(when|if|while|assert)\b([^{};]*)$/;
/** A place, alone or behind an operator: what a comparison begins with. */
const COMPARED = /(?:^|[-+*(]|&&|\|\||\b(?:implies|where|in|div|mod)\b|[^:]=|[<>!])\s*\w+(?:\.\w+|\s*\[[^[\]]*\])*\s*$/;

/** A quantifier without `where` before its condition. */
const BINDERS = /(?:\b(?:forall|exists)\s|[([]\s*)[\w\s,]*\bin\s+[\w.\s+-]*$/;

/** A variable that runs through a type which cannot be the name of a set. */
const ARRAY_OF_VALUES = /\bin\s+(?:bool\s*|-?\w+\s*\.\.[\w\s.+*-]+)$/;

function explainByToken(before: string, found: string, error: SyntaxError): SyntaxError | undefined {
    const [, word, condition = ''] = CONDITION.exec(before) ?? [];
    if (found === ':=' && word !== undefined) {
        if (COMPARED.test(condition)) {
            return { ...error, ...instead('`==` compares; `:=` assigns in a step', '==') };
        }
        const text = 'what a step does stands in braces behind its test: `{ x := value }`';
        return word === 'when' ? undefined : { ...at(error), text };
    }
    if (found === '=' && word !== undefined && error.remedy?.text === ':=') {
        return { ...error, ...EQUALITY };
    }
    if (found === '[' && ARRAY_OF_VALUES.test(before)) {
        return {
            ...at(error),
            text: 'a variable runs through the values of a type, or through a set; not through an array',
        };
    }
    if (error.remedy?.text === ':' && BINDERS.test(before)) {
        return { ...error, remedy: { kind: 'insert', text: 'where ' } };
    }
    if (found === '->' && isProperty(before)) {
        return { ...error, ...IMPLICATION };
    }
    if (found === ',' && /^(?:a statement|a step) or `}` is expected/.test(error.text)) {
        const what = error.text.startsWith('a step') ? 'steps' : 'statements';
        return { ...error, ...instead(`${what} are separated by \`;\``, ';') };
    }
    return undefined;
}

/** Whether the declaration around an error has no steps. */
function isProperty(before: string): boolean {
    return /^(?:invariant|const|init|property|assume)$/.test(declarationAround(before));
}

/** Whether the declaration around an error is about runs. */
function isAboutRuns(before: string): boolean {
    return /^(?:property|assume)$/.test(declarationAround(before));
}

/** The word that begins the declaration around an error. */
function declarationAround(before: string): string {
    const words = 'invariant|process|function|const|init|var|event|channel|property|assume';
    const declarations = before.match(new RegExp(`^[ \\t]*(?:(?:strong[ \\t]+)?fair[ \\t]+)?(?:${words})\\b`, 'gm'));
    return declarations?.at(-1)?.trim().split(/\s+/).at(-1) ?? '';
}
