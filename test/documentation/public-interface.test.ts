/** Whoever uses the package sees what stands above each declaration, so there is something. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const INDEXES = ['engine/index.ts', 'library/index.ts'];

interface Exported {
    readonly file: string;
    /** Undefined for all that the file exports. */
    readonly names: readonly string[] | undefined;
}

/** What a file passes on: `export … from`. */
function passedOn(file: string): Exported[] {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^export (?:type )?(?:\*|\{([^}]*)\}) from '([^']+)';/gm)].map(([, list, from = '']) => ({
        file: join(dirname(file), from.replace(/\.js$/, '.ts')).replaceAll('\\', '/'),
        names: list
            ?.split(',')
            .map(name => name.trim().replace(/^type /, ''))
            .filter(name => name !== ''),
    }));
}

/** The exported declarations of a file without a comment before them; those that it passes on are looked up. */
function undocumented({ file, names }: Exported): string[] {
    const text = readFileSync(file, 'utf8');
    const declared = [...text.matchAll(/^export (?:async )?(?:interface|type|class|function|const) (\w+)/gm)];
    const wanted = declared.filter(([, name = '']) => names === undefined || names.includes(name));
    const rest = (names ?? []).filter(name => !wanted.some(([, found]) => found === name));
    const further = passedOn(file)
        .map(other => ({ ...other, names: other.names?.filter(name => rest.includes(name)) }))
        .filter(other => other.names === undefined || other.names.length > 0);
    expect(rest.filter(name => !further.some(other => other.names?.includes(name) === true))).toEqual([]);
    return [
        ...wanted
            .filter(({ index }) => !/\*\/\n$/.test(text.slice(0, index)))
            .map(([, name = '']) => `${file}: ${name}`),
        ...further.flatMap(undocumented),
    ];
}

test('what the package exports has a comment', () => {
    const exported = INDEXES.flatMap(passedOn);
    expect(exported.length).toBeGreaterThan(10);
    expect(exported.flatMap(undocumented)).toEqual([]);
});
