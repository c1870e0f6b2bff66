/** How many instances of a template the last exploration has seen at once. */
import type { DocumentFindings } from '../../analysis/analysis-service.js';

/** Undefined if no exploration has counted them. */
export function mostLiveOf(name: string, { explorations }: DocumentFindings): number | undefined {
    const counted = [...explorations.values()].flatMap(({ document }) => document.templates ?? []);
    return counted.filter(template => template.name === name).at(-1)?.mostLive;
}
