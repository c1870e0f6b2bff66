/** Data from outside, such as a file, an editor or a client, before anything is known of it. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
