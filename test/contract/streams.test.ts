import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** What makes a stream, or joins two without passing errors on. An error that nobody listens to ends the process. */
const makes =
  /\bcreateReadStream\(|\bcreateWriteStream\(|\bReadable\.from(?:Web)?\(|\bnew PassThrough\(|\bnew ZipFile\(|\bnew Busboy\(|\bcopyTo\(|\bcopyFrom\(|\bnew (?:pg\.(?:Client|Pool)|PrimaryClient)\(|\bnew Redis\(|\bcreateServer\(|\b(?:request|response|stream|content|output|child\.\w+)\.pipe\(|\bnew Document\(/g

/** Who listens to the errors of the streams of each file. */
const listeners: Record<string, string> = {
  'src/api/http/holding-server.ts': 'the promise of its start; connections are node:http’s',
  'src/api/http/list-bytes.ts': 'Fastify, which starts to read it',
  'src/api/http/spool.ts': 'a listener of its own',
  'src/api/pdf/make-pdf.ts': 'the promise of its end',
  'src/api/platform/operations/progress-events.ts': 'Fastify, which starts to read it',
  'src/api/platform/storage/read-form.ts': 'listeners of request, parser and file',
  'src/api/portability/imports/imports.routes.ts': 'Fastify, which starts to read it',
  'src/cli/backup/age.ts': 'the pipeline that reads it',
  'src/cli/backup/archive.ts': 'a pipeline',
  'src/cli/backup/backup.ts': 'a pipeline',
  'src/cli/backup/load-rows.ts': 'a pipeline',
  'src/cli/backup/restore.ts': 'a pipeline',
  'local/demo/school/papers.ts': 'the store’s pipeline',
  'local/servers/ports.ts': 'a listener of its own',
  'local/webhooks/webhook-receiver.ts': 'the promise of its start; connections are node:http’s',
  'src/shared/platform/adapters/storage/local-storage.ts': 'a pipeline, and who reads the object from its start',
  'src/shared/platform/db/single-client.ts': 'a listener of its own',
  'src/shared/platform/db/spare-pool.ts': 'dropLostConnections',
  'src/shared/platform/db/replicas.ts': 'a listener of its own',
  'src/shared/platform/jobs/open-redis.ts': 'who opens it; a listener of its own for the servers that it asks',
  'src/shared/platform/jobs/queue-listener.ts': 'a listener of its own',
  'src/shared/platform/jobs/queue-postgres.ts': 'dropLostConnections',
  'src/shared/portability/exports/export-person.ts': 'whileOwned, in the storage',
  'src/shared/portability/exports/write-archive.ts': 'listeners of archive and entry',
  'src/shared/portability/reading/read-csv.ts': 'a pipeline',
  'src/workers/worker-server.ts': 'the promise of its start; connections are node:http’s',
}

describe('streams', () => {
  test('are made where somebody listens to their errors', () => {
    const made = globSync(['src/**/*.ts', 'local/**/*.ts'], { cwd: root })
      .filter((file) => readFileSync(join(root, file), 'utf8').match(makes))
      .sort()
    expect(made).toEqual(Object.keys(listeners).sort())
  })
})
