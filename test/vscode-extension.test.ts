/** What the manifest of the extension promises: files that exist, commands that are registered, a model that is one. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { ExplorationReport } from '../engine/explore/verdict.js';
import type { Model } from '../engine/model/model.js';
import { analyze, startExploration } from '../engine/pipeline.js';
import { formatText } from '../language-server/formatting/format-text.js';
import { loadModel } from '../language-server/load-model.js';

interface Manifest {
    readonly contributes: {
        readonly languages: readonly { readonly icon: Readonly<Record<string, string>> }[];
        readonly commands: readonly { readonly command: string }[];
        readonly walkthroughs: readonly {
            readonly steps: readonly {
                readonly description: string;
                readonly media: { readonly markdown: string };
                readonly completionEvents: readonly string[];
            }[];
        }[];
    };
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commands = contributes.commands.map(({ command }) => command);
const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);

async function readModel(name: string): Promise<{ readonly text: string; readonly model: Model }> {
    const text = readFileSync(`vscode-extension/walkthrough/${name}.orbit`, 'utf8');
    const { model, problems } = await loadModel(text, `file:///${name}.orbit`);
    expect(problems).toEqual([]);
    expect(formatText(text, `file:///${name}.orbit`).text).toBe(text);
    return { text, model: model! };
}

function explore(model: Model): ExplorationReport | undefined {
    const analysis = analyze(model, { now: () => 0, workLimit: UNLIMITED, explain: false });
    const { exploration } = startExploration(analysis, { reduction: 'unique' }, UNLIMITED);
    exploration.advance(UNLIMITED);
    return exploration.result().report;
}

test('a new model is one without problems, and holds', async () => {
    expect(explore((await readModel('new-model')).model)?.verdict).toBe('holds');
});

test('the lock of the walkthrough has the error that its last page repairs', async () => {
    const { text, model } = await readModel('lock');
    const found = explore(model);
    expect(found?.verdict).toBe('violated');
    const taken = (found?.violations[0]?.trace ?? []).flatMap(({ step }) => (step === null ? [] : [step]));
    const shown = taken.map(({ process, label }, index) => `${index + 1}  ${process} ${label}`);
    expect(readFileSync('vscode-extension/walkthrough/explore.md', 'utf8')).toContain(shown.join('\n'));
    const page = readFileSync('vscode-extension/walkthrough/fix.md', 'utf8');
    const repair = /```orbit\n([^`]*)```/.exec(page)?.[1] ?? '';
    const repaired = text.replace(/ *look:[^]*leave: taken := false\n/, repair);
    const { model: right, problems } = await loadModel(repaired, 'file:///repaired.orbit');
    expect(problems).toEqual([]);
    expect(explore(right!)?.verdict).toBe('holds');
});

test('the walkthrough has five steps, with pages that exist, commands that there are, and contexts that are set', () => {
    expect(steps).toHaveLength(5);
    const source = readFileSync('vscode-extension/first-steps.ts', 'utf8');
    for (const { description, media, completionEvents } of steps) {
        expect(existsSync(media.markdown)).toBe(true);
        const named = [...description.matchAll(/command:([\w.]+)/g)].map(match => match[1] ?? '');
        const ending = completionEvents.map(event => event.split(':'));
        expect(commands).toEqual(
            expect.arrayContaining([...named, ...ending.filter(([on]) => on === 'onCommand').map(([, name]) => name)]),
        );
        for (const [, context] of ending.filter(([on]) => on === 'onContext')) {
            expect(source).toContain(`'${context}'`);
        }
    }
});

test('models have an icon in light and in dark', () => {
    for (const file of Object.values(contributes.languages[0]?.icon ?? {})) {
        expect(readFileSync(file, 'utf8')).toContain('<svg');
    }
    expect(Object.keys(contributes.languages[0]?.icon ?? {}).sort()).toEqual(['dark', 'light']);
});

test('the page of the extension links to nothing that the extension does not have', async () => {
    const script = new URL('../vscode-extension/readme.js', import.meta.url).href;
    const { withoutRelativeLinks } = (await import(script)) as { withoutRelativeLinks: (readme: string) => string };
    const page = withoutRelativeLinks(readFileSync('README.md', 'utf8'));
    const links = [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
    expect(links.filter(target => !/^https?:|^#|^docs\/images\/.*\.png$/.test(target))).toEqual([]);
    expect(page).toContain('docs/symmetry.md');
});
