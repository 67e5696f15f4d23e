import { defineConfig } from 'vitest/config'

/** The fault drills take minutes: `npm run drills`, not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/drills/**/*.drill.ts'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false },
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    // The table goes to the terminal as it is.
    disableConsoleIntercept: true,
  },
})
