import { type Operation, operationsOf, readDocument } from '../../contract/support/document.ts'
import type { TestApp } from '../../support/app.ts'

/** A member who reads, and their token. */
export interface Reader {
  name: string
  token: string
}

/** Whose records a path parameter of this name takes its ids from, where its list is not the path before it. */
const ownedBy: Record<string, string> = { userId: '/users', orgUserId: '/orgUsers', resourceId: '/resources' }
const YEAR = 'startDate=2026-01-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'

/**
 * Returns every answer with 200 to a GET that these readers get, by reader and path, and byte by byte: each list, and each path
 * with an id for each row of its list. The audit log is read first, since reading a medical adds to it. Certificates are left
 * out: some are issued at their first reading.
 */
export async function readEverything(api: TestApp, readers: readonly Reader[]): Promise<Map<string, string>> {
  const gets = operationsOf(await readDocument(api)).filter(({ method }) => method === 'GET')
  const lists = gets.filter(({ pathParameters }) => pathParameters.length === 0)
  const parts = gets.filter(({ path, pathParameters: { length } }) => length === 1 && !path.includes('/certificates/'))
  const answers = new Map<string, string>()
  const read = async ({ name, token }: Reader, path: string) => {
    const asked = await api.call('GET', path, { token })
    const answer = asked.statusCode === 400 ? await api.call('GET', `${path}?${YEAR}`, { token }) : asked
    if (answer.statusCode === 200) answers.set(`${name} ${path}`, answer.body)
    return answer
  }
  for (const reader of readers) await read(reader, '/audit')
  for (const reader of readers) {
    const ids = new Map<string, number[]>()
    for (const { path } of lists.filter(({ path }) => path !== '/audit')) {
      const answer = await read(reader, path)
      ids.set(path, idsIn(answer.statusCode === 200 ? answer.body : ''))
    }
    for (const part of parts) for (const path of pathsOf(part, ids)) await read(reader, path)
  }
  return answers
}

/** A path with one parameter, filled in with each id of the list that it belongs to. */
function pathsOf({ path, pathParameters: [name = ''] }: Operation, ids: Map<string, number[]>): string[] {
  const list = ownedBy[name] ?? path.slice(0, path.indexOf('/{'))
  return (ids.get(list) ?? []).map((id) => path.replace(`{${name}}`, String(id)))
}

function idsIn(body: string): number[] {
  if (!body.startsWith('{')) return []
  const { data } = JSON.parse(body) as { data: unknown }
  return Array.isArray(data)
    ? data.flatMap((row: { id?: unknown }) => (typeof row.id === 'number' ? [row.id] : []))
    : []
}
