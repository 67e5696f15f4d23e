import { type DomainEventInput, notify } from '../../src/shared/communication/notifications/notify.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp, type TestAppOptions, waitingForWorkers } from './app.ts'
import { startBackend } from './backends.ts'
import type { Member, School } from './builders.ts'
import { createRecordingPush, type RecordingPush } from './recording-push.ts'
import { startTestWorkers, type TestWorkers } from './workers.ts'

/** An API with queues, workers, mail server and push service, for tests of notifications. */
export interface NotificationEnv {
  api: TestApp
  workers: TestWorkers
  push: RecordingPush
  /** Enqueues a notification and waits until it is delivered. Returns the id of its job. */
  happen(school: School, event: Omit<DomainEventInput, 'organizationId'>): Promise<string>
  /** Returns the roles of the members of a school who have an in-app notification, in alphabetical order. */
  notifiedInApp(school: School): Promise<string[]>
  close(): Promise<void>
}

export async function startNotifying(
  kind: QueueBackend['kind'],
  { env }: Pick<TestAppOptions, 'env'> = {},
): Promise<NotificationEnv> {
  const push = createRecordingPush()
  const backend = await startBackend(kind)
  const api = await startTestApp({ env: { ...waitingForWorkers, ...backend.env, ...env } })
  const workers = await startTestWorkers(api, { push })
  return {
    api,
    workers,
    push,
    async happen({ organizationId }, event) {
      const [job] = await workers.run((tx) => notify(tx, { organizationId, ...event }))
      return job!.id
    },
    async notifiedInApp(school) {
      const rows = await api.core.database.db
        .selectFrom('notification')
        .select('membership_id')
        .where('organization_id', '=', school.organizationId)
        .execute()
      return rows.map((row) => roleIn(school, row.membership_id)).sort()
    },
    async close() {
      await workers.stop()
      await api.close()
      await backend.stop()
    },
  }
}

function roleIn(school: School, orgUserId: number): string {
  const found = Object.entries(school).find(([, who]) => (who as Partial<Member>).orgUserId === orgUserId)
  return found?.[0] ?? 'somebody else'
}
