import type { TestApp } from './app.ts'
import type { Member } from './builders.ts'
import { expectOk } from './flights.ts'
import { work } from './operations.ts'
import { unzip } from './unzip.ts'

/** Exports the organization of an owner. Returns the files of the archive, and the address that it was read from. */
export async function exportOf(
  api: TestApp,
  owner: Member,
): Promise<{ id: number; files: Map<string, Buffer>; url: string }> {
  const { id } = await expectOk<{ id: number }>(api, owner, 'POST', '/exports', {})
  await work(api, { organizationId: owner.organizationId, operationId: id })
  const { url } = await expectOk<{ url: string }>(api, owner, 'POST', `/exports/${id}/download`, {})
  const { pathname, search } = new URL(url)
  const { rawPayload } = await api.app.inject({ method: 'GET', url: `${pathname}${search}` })
  return { id, files: unzip(rawPayload), url }
}
