import { defineConfig } from 'vitest/config'

/** The fault drills take minutes: `npm run drills`, not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/drills/**/*.drill.ts'],
    pool: 'forks',
    fileParallelism: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false },
    // A drill ends within eight minutes; one that hangs fails, and its hooks end its processes.
    testTimeout: 480_000,
    hookTimeout: 120_000,
    // The table goes to the terminal as it is.
    disableConsoleIntercept: true,
  },
})
