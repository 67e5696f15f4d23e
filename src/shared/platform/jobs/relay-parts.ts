import type { Database } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Job } from './define-job.ts'
import type { QueueBackend } from './queue-backend.ts'

/** The dependencies of a process's relay. */
export interface RelayParts {
  database: Database
  backend: QueueBackend
  jobs: Record<string, Job>
  clock: Clock
  onError: (error: Error) => void
}
