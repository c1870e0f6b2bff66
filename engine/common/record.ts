/** Whether data from outside, such as a file or a message, is an object with fields: neither a list nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
