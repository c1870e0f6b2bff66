/** A family of models: one for each value of some parameters, which a caller makes on demand. */
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import type { Model } from '../engine/model/model.js';

/** A parameter that is to have all values of its type. */
export interface SizeParameter {
    readonly name: string;
    readonly least: number;
    readonly most: number;
    /** Its name in its declaration. */
    readonly range: SourceRange;
}

/** The model for some values, in the order of the parameters; its domains have `bounds`. */
export type ModelOfSizes = (values: readonly number[]) => {
    /** Absent if the problems are errors. */
    readonly model?: Model;
    readonly problems: readonly Problem[];
};
