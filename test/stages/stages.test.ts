/** Every intermediate form of a few models, printed beside them. `vitest -u` writes the forms anew. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { printConstraintProblem } from '../../engine/constraints/print-constraints.js';
import { analyze } from '../../engine/pipeline.js';
import { toDimacs } from '../../engine/graph/dimacs.js';
import { printSequentialModel } from '../../engine/sequential/print.js';
import { printSsa } from '../../engine/constraints/print-single-assignment.js';
import { straightLinesOf } from '../../engine/symmetry/constraints.js';
import { loadModel } from '../../language-server/load-model.js';

const FOLDER = import.meta.dirname;
const models = readdirSync(FOLDER).filter(name => name.endsWith('.orbit'));

test('there are models to print', () => {
    expect(models.length).toBeGreaterThan(1);
});

test.each(models)('the stages of %s', async name => {
    const { model, problems } = await loadModel(readFileSync(join(FOLDER, name)), `file:///${name}`);
    expect(problems).toEqual([]);
    const { sequential, symmetry } = analyze(model!, { now: () => 0, workLimit: UNLIMITED });
    const { constraints, encoding, report } = symmetry!;
    const forms = {
        sequential: printSequentialModel(sequential!),
        ssa: printSsa(straightLinesOf(sequential!)),
        constraints: printConstraintProblem(constraints),
        graph: toDimacs(encoding.graph),
        symmetries: `${[`${report.structure}, order ${report.order}`, ...report.generators.map(g => g.cycles)].join('\n')}\n`,
    };
    for (const [stage, text] of Object.entries(forms)) {
        await expect(text).toMatchFileSnapshot(join(FOLDER, name.replace('.orbit', `.${stage}.txt`)));
    }
});
