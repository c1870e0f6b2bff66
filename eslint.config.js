/** Mistakes, not taste: Prettier lays out, the compiler checks types, test/architecture.test.ts checks who imports whom. */
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
    {
        ignores: [
            '**/node_modules/',
            '**/dist/',
            '**/out/',
            'language-server/generated/',
            '.workbench/',
            'coverage/',
            'screenshots/',
        ],
    },
    js.configs.recommended,
    {
        files: ['**/*.ts'],
        extends: [tseslint.configs.recommendedTypeChecked],
        languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts'] } } },
        rules: {
            '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
            '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        },
    },
    {
        rules: {
            eqeqeq: 'error',
            'no-console': 'error',
            'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        },
    },
    {
        // Typed rules know better.
        files: ['**/*.ts'],
        rules: { 'no-unused-vars': 'off', 'no-undef': 'off' },
    },
    {
        // Scripts that run in plain Node.
        files: ['*.js', 'bench/*.js', 'cli/*.js', 'library/*.js', 'vscode-extension/workbench/**/*.js'],
        languageOptions: {
            globals: Object.fromEntries(
                [
                    'console',
                    'process',
                    'performance',
                    'setInterval',
                    'clearInterval',
                    'setTimeout',
                    'URL',
                    'URLSearchParams',
                ].map(name => [name, 'readonly']),
            ),
        },
        rules: { 'no-console': 'off' },
    },
    {
        // Programs whose output is for whoever runs them.
        files: ['bench/**/*.ts'],
        rules: { 'no-console': 'off' },
    },
    {
        files: ['vscode-extension/workbench/{spdlog,native-watchdog}/*.js'],
        languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly', exports: 'writable' } },
    },
    {
        files: ['vscode-extension/workbench/memory-files/*.js'],
        languageOptions: {
            sourceType: 'commonjs',
            globals: { require: 'readonly', exports: 'writable', fetch: 'readonly', TextEncoder: 'readonly' },
        },
    },
);
