/**
 * Random models, small enough to try everything, and biased to what symmetry detection is about: two to five instances of
 * a family over arrays they index, values that are indices, the same process written twice under two names, values that
 * can be exchanged; and to what breaks it: a constant index, one more conjunct, one initial value. Faults, deadlocks and
 * false invariants are common.
 *
 * A model has some of the features of the language, each of them in a share of the models: records, channels, functions,
 * tables, choices of values, loops in bodies. It is well-typed by construction. What may go wrong only when it runs is left
 * in: an index or a value outside its type, a division by zero, a race.
 *
 * It is drawn by one object, whose class has a file for each layer: its types and values (model-vocabulary.ts), then its
 * expressions, bodies, processes, and the model as a whole (random-….ts).
 */
import * as fc from 'fast-check';
import { RandomModel, type FlawedModel } from './random-model.js';
import { shrinkModel } from './shrink-model.js';
import type { Model } from '../reference/syntax.js';

/** A random model. Shrinks by leaving out or simplifying one part of the tree at a time. */
export function models(): fc.Arbitrary<Model> {
    return new ModelArbitrary();
}

/** Does not shrink: the two must stay what they are. */
export function flawedModels(): fc.Arbitrary<FlawedModel> {
    return new FlawedModelArbitrary();
}

class FlawedModelArbitrary extends fc.Arbitrary<FlawedModel> {
    override generate(random: fc.Random): fc.Value<FlawedModel> {
        return new fc.Value(new RandomModel(random, true).buildWithFlaw(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is FlawedModel {
        return false;
    }

    override shrink(): fc.Stream<fc.Value<FlawedModel>> {
        return fc.Stream.nil();
    }
}

class ModelArbitrary extends fc.Arbitrary<Model> {
    override generate(random: fc.Random): fc.Value<Model> {
        return new fc.Value(new RandomModel(random).build(), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is Model {
        return true;
    }

    override shrink(value: Model): fc.Stream<fc.Value<Model>> {
        return fc.stream(shrinkModel(value)).map(smaller => new fc.Value(smaller, undefined));
    }
}
