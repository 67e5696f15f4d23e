import type { OrganizationSettings } from '../../src/shared/platform/authz/organization-settings.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp, waitingForWorkers } from './app.ts'
import { type StartedBackend, startBackend } from './backends.ts'
import { buildSchool, type School } from './builders.ts'
import { setRates } from './flights.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from './stripe-simulator.ts'
import { startTestWorkers, type TestWorkers } from './workers.ts'

/**
 * A listening API with its queues, workers, mail server and payment gateway, and a school whose instructor has rates.
 */
export interface BillingEnv {
  api: TestApp
  workers: TestWorkers
  simulator: TestSimulator
  school: School
  backend: StartedBackend
  close(): Promise<void>
}

/** Starts all services that a payment passes through. With `workers: false` the test runs the jobs. */
export async function startBilling(
  kind: QueueBackend['kind'],
  options: { env?: Record<string, string>; workers?: boolean; settings?: Partial<OrganizationSettings> } = {},
): Promise<BillingEnv> {
  const simulator = await startSimulator()
  const backend = await startBackend(kind)
  const api = await startTestApp({
    realTime: true,
    env: {
      ...backend.env,
      ...(options.workers !== false && waitingForWorkers),
      STRIPE_API_BASE: simulator.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ...options.env,
    },
  })
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  await simulator.setWebhookUrl(`${address}/webhooks/stripe`)
  const workers = await startTestWorkers(api, options.workers === false ? { queues: ['upkeep'] } : {})
  const school = await buildSchool(api, { settings: options.settings ?? {} })
  await setRates(api, school)
  return {
    api,
    workers,
    simulator,
    school,
    backend,
    async close() {
      await workers.stop()
      await api.close()
      await simulator.close()
      await backend.stop()
    },
  }
}
