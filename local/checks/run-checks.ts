import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * The scripts of package.json that check the source without running it. The slowest are first, so that they start
 * first.
 */
const checks = ['check:types', 'check:imports', 'check:unused', 'lint:openapi', 'check:format']

/**
 * `npm run check`: runs the checks in parallel, prints the output of each when it ends, and exits with 1 when one
 * fails.
 */
const waiting = checks.values()
let failed = false
await Promise.all(Array.from({ length: availableParallelism() }, runNext))
process.exitCode = failed ? 1 : 0

/** Runs waiting checks one after another until none is left. */
async function runNext(): Promise<void> {
  for (const name of waiting) {
    const { code, output } = await run(name)
    failed ||= code !== 0
    console.log(`${code === 0 ? 'passed' : 'FAILED'} ${name}\n${output}`)
  }
}

function run(name: string): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; output: string }>()
  const check = spawn(process.execPath, ['--run', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [check.stdout, check.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  check.on('error', reject)
  check.on('close', (code) => resolve({ code, output }))
  return promise
}
