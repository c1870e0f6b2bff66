/**
 * Random models, small enough to try everything, and biased to what symmetry detection is about and to what breaks it.
 * They are well-typed; indices, values, divisions and races may be faults. One object draws a model; its class has a
 * file for each layer, from types and values (model-vocabulary.ts) to the model as a whole (random-….ts).
 */
import * as fc from 'fast-check';
import { RandomModel, type FlawedModel } from './random-model.js';
import { shrinkModel } from './shrink-model.js';
import type { Model } from '../reference/syntax.js';

/** A random model. Shrinks by leaving out or simplifying one part of the tree at a time. */
export function models(): fc.Arbitrary<Model> {
    return new ModelArbitrary(random => new RandomModel(random).build());
}

/** The same with invariants that say the same of several values of an index type. */
export function modelsWithAlikeInvariants(): fc.Arbitrary<Model> {
    return new ModelArbitrary(random => new RandomModel(random, random.nextInt(0, 3) > 0).buildWithAlikeInvariants());
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
    private readonly draw: (random: fc.Random) => Model;

    constructor(draw: (random: fc.Random) => Model) {
        super();
        this.draw = draw;
    }

    override generate(random: fc.Random): fc.Value<Model> {
        return new fc.Value(this.draw(random), undefined);
    }

    override canShrinkWithoutContext(_value: unknown): _value is Model {
        return true;
    }

    override shrink(value: Model): fc.Stream<fc.Value<Model>> {
        return fc.stream(shrinkModel(value)).map(smaller => new fc.Value(smaller, undefined));
    }
}
