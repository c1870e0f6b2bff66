export async function explore(): Promise<never> { throw new Error('not yet'); }
