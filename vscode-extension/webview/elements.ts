/** Building the document of a panel. Text always enters as text, never as markup. */
import type { DocumentValue } from '../../language-server/protocol.js';
import type { PanelMessage } from './messages.js';

/** What VS Code hands to the scripts of a webview. */
interface WebviewApi {
    postMessage(message: PanelMessage): void;
    getState(): unknown;
    setState(state: unknown): void;
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

/** A message as it is meant to be read: what stands between backquotes is code. */
export function withCode(message: string): (Node | string)[] {
    return message.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}

/** A button that calls `onClick`. */
export function button(text: string, attributes: Readonly<Record<string, string>>, onClick: () => void): HTMLElement {
    const created = element('button', { type: 'button', ...attributes }, text);
    created.addEventListener('click', onClick);
    return created;
}

/** 1234567 as 1,234,567. */
export function formatCount(count: number): string {
    return count.toLocaleString('en-US');
}

/** Digits of any length in groups of three. */
export function formatDigits(digits: string): string {
    return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Bytes in the unit that leaves one to three digits before the point. */
export function formatBytes(bytes: number): string {
    const units = ['B', 'KB', 'MB', 'GB', 'TB'];
    const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
    const amount = bytes / 2 ** (10 * power);
    return `${amount.toFixed(power === 0 || amount >= 100 ? 0 : 1)} ${units[power]}`;
}

/** A value of the model as it is written there. */
export function formatValue(value: DocumentValue | undefined): string {
    if (typeof value === 'object' && value !== null) {
        return isList(value)
            ? `[${value.map(formatValue).join(', ')}]`
            : `(${Object.entries(value)
                  .map(([field, part]) => `${field}: ${formatValue(part)}`)
                  .join(', ')})`;
    }
    // A local that no later step reads holds no value.
    return value === null || value === undefined ? '–' : String(value);
}

function isList(value: DocumentValue): value is readonly DocumentValue[] {
    return Array.isArray(value);
}
