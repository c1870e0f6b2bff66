/** What an option for one model says where a search may begin again with more slots. */
import type { TemplateSlots } from '../engine/sequential/sequential-model.js';
import { CallError } from './call-error.js';

/** For an option that cannot be used with this template, or with this type whose values have no end. */
export function refusedWithSlots({ name, named }: TemplateSlots, option: string): CallError {
    const [what, reason] =
        named === undefined
            ? ['templates', `instances of '${name}' are created`]
            : ['values without end', `a search keeps as many of '${name}' as it needs`];
    return new CallError('call/templates', `the model has ${what}: \`${option}\` cannot be used, because ${reason}`);
}
