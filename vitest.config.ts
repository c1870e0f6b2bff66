import { defineConfig } from 'vitest/config';

export default defineConfig({
    test: {
        include: ['test/**/*.test.ts'],
        exclude: ['test/end-to-end/**'],
        testTimeout: 60_000,
    },
});
