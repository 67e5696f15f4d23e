import type { DeskGrant } from '../../src/shared/platform/authz/desk-grants.rules.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { expectOk } from './flights.ts'

/** Gives a member a desk grant as the school's admin, and returns its id. */
export async function giveDesk(api: TestApp, school: School, to: Member, grant: DeskGrant): Promise<number> {
  const body = { orgUserId: to.orgUserId, grant }
  return (await expectOk<{ id: number }>(api, school.admin, 'POST', '/grants', body)).id
}
