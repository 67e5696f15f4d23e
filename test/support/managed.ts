import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { expectOk } from './flights.ts'

/** Adds a member without an account, as the school's owner. The member has no token. */
export async function buildManaged(
  api: TestApp,
  school: School,
  given: Record<string, unknown> = {},
): Promise<Pick<Member, 'orgUserId' | 'name'> & { organizationId: number }> {
  const name = typeof given.name === 'string' ? given.name : 'Mia Managed'
  const { id } = await expectOk<{ id: number }>(api, school.owner, 'POST', '/orgUsers', { name, ...given })
  return { orgUserId: id, name, organizationId: school.organizationId }
}
