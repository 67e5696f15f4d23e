import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

// Test processes, and the API and worker processes that tests start, share compiled modules: a start takes half the time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They take as long as all others together: npm run test:endpoints, npm run test:processes.
    exclude: [...configDefaults.exclude, 'test/endpoints/**', 'test/processes/**', 'test/faults/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/raised-errors.ts'],
    pool: 'forks',
    // Files share a process and its modules, never a database: importing the service again for each would take longest.
    isolate: false,
    // A third of the time a test waits for PostgreSQL, a process or a queue; more processes take turns and lose time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // A larger young generation: garbage collection takes a tenth of a test process's time with the default one.
    execArgv: ['--max-semi-space-size=64'],
    // Node.js loads modules and strips the types itself, from its compile cache, as it does when the service runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What hangs is ended; on a busy machine a flow of a hundred requests takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As in test/support/eventually.ts: what must come has nearly that long.
    expect: { poll: { timeout: 100_000, interval: 25 } },
  },
})
