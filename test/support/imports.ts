import type { TestApp } from './app.ts'
import type { Member } from './builders.ts'
import { expectOk } from './flights.ts'
import { type OperationAnswer, work } from './operations.ts'

/** A row of an import as it is answered. */
export interface ImportRowAnswer {
  row: number
  id: number | null
  externalId: string | null
  outcome: string | null
  problems: { column: string | null; message: string }[]
}

/** Starts an import and works on it to its end. Answers it with its rows, as who started it reads them. */
export async function importAs(api: TestApp, who: Member, body: object) {
  const { id } = await startImportAs(api, who, body)
  await work(api, { organizationId: who.organizationId, operationId: id })
  return readImportOf(api, who, id)
}

/** Starts an import, which its job has not begun. */
export async function startImportAs(api: TestApp, who: Member, body: object): Promise<OperationAnswer> {
  const response = await api.as(who).post('/imports', body)
  if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${response.body}`)
  return response.json().data as OperationAnswer
}

/** Answers an import with its rows. */
export async function readImportOf(api: TestApp, who: Member, id: number) {
  const operation = await expectOk<OperationAnswer>(api, who, 'GET', `/operations/${id}`)
  const rows = await expectOk<ImportRowAnswer[]>(api, who, 'GET', `/operations/${id}/rows?limit=1000`)
  return { operation, rows, outcomes: rows.map(({ outcome }) => outcome) }
}

/** Imports a file twice and answers the outcomes of both, with the ids of the first. */
export async function importTwice(api: TestApp, who: Member, kind: string, text: string) {
  const first = await importAs(api, who, { kind, text })
  const second = await importAs(api, who, { kind, text })
  const problems = first.rows.map((row) =>
    row.problems.map(({ column, message }) => `${column}: ${message}`).join('; '),
  )
  return { first: first.outcomes, second: second.outcomes, ids: first.rows.map(({ id }) => id), problems }
}
