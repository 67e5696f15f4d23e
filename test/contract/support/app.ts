import { startTestApp, type TestApp } from '../../support/app.ts'

/**
 * An API without workers: no answer waits for a processor that nobody asks. Accounts at Zoom may be connected. There is a
 * source of weather reports that gives no answer. The database is a new one when none is given.
 */
export function startLoneApp(databaseUrl?: string, env: Record<string, string> = {}): Promise<TestApp> {
  return startTestApp({
    databaseUrl,
    env: {
      PROCESSOR_WAIT_MS: '0',
      ZOOM_CLIENT_ID: 'flightline',
      ZOOM_CLIENT_SECRET: 'not asked for',
      WEATHER_API_BASE: 'http://127.0.0.1:9',
      ...env,
    },
  })
}
