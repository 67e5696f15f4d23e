import { startTestApp, type TestApp } from '../../support/app.ts'

/** An API without workers: no answer waits for a processor that nobody asks. */
export function startLoneApp(): Promise<TestApp> {
  return startTestApp({ env: { PROCESSOR_WAIT_MS: '0' } })
}
