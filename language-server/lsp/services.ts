/** The services of the language server by their names: those of Langium, and `analysis`. lsp-module.ts makes them. */
import type { LangiumServices, LangiumSharedServices } from 'langium/lsp';
import type { AnalysisService } from '../analysis/analysis-service.js';
import type { ParameterChoices } from '../analysis/parameter-choices.js';
import type { WorkerPool } from '../analysis/worker-pool.js';
import type { SettingsService } from '../settings.js';

export interface AnalysisServices {
    readonly analysis: {
        readonly Settings: SettingsService;
        readonly Parameters: ParameterChoices;
        readonly WorkerPool: WorkerPool;
        readonly AnalysisService: AnalysisService;
    };
}

export type OrbitSharedServices = LangiumSharedServices & AnalysisServices;
export type OrbitServices = LangiumServices & { readonly shared: OrbitSharedServices };
