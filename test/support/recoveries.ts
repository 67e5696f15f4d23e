import type { RecoveryRowRecord } from '../../src/shared/scheduling/recoveries/recovery.queries.ts'
import type { TestApp } from './app.ts'
import { buildPlane, type Member, type School } from './builders.ts'
import { expectOk } from './flights.ts'
import { type OperationAnswer, work } from './operations.ts'

/** A plan as the API answers it. */
export interface PlanAnswer {
  id: number
  status: string
  displaced: number
  kept: number
  left: number
  basis: string | null
  gapPercent: number | null
  asserted: boolean
  next: { method: string; path: string; body: object } | null
  rows: {
    reservationId: number
    outcome: string
    applied: boolean
    operationId: number | null
    offer: { id: number; status: string } | null
    unoffered: string | null
    from: RecoveryRowRecord['detail']['from']
    to: RecoveryRowRecord['detail']['to']
    consent: RecoveryRowRecord['detail']['consent']
    problems: { code: string }[]
    points: number
  }[]
}

export const recoveryWindow = { startDate: '2026-11-23', endDate: '2026-11-27' }

/** Starts the planning of a recovery as desk staff, and runs it to its end. Returns the plan. */
export async function planned(api: TestApp, who: Member, cause: object, more: object = {}): Promise<PlanAnswer> {
  const body = { cause, ...recoveryWindow, ...more }
  const { id } = await expectOk<OperationAnswer>(api, who, 'POST', '/recoveries', body)
  await work(api, { organizationId: who.organizationId, operationId: id })
  return expectOk<PlanAnswer>(api, who, 'GET', `/recoveries/${id}`)
}

/** Applies a plan and runs its operation to its end. Returns the plan, and the result of the operation. */
export async function applied(api: TestApp, who: Member, id: number, body: object = {}) {
  const started = await expectOk<OperationAnswer>(api, who, 'POST', `/recoveries/${id}/apply`, body)
  await work(api, { organizationId: who.organizationId, operationId: started.id })
  const operation = await expectOk<OperationAnswer>(api, who, 'GET', `/operations/${started.id}`)
  return { operation, plan: await expectOk<PlanAnswer>(api, who, 'GET', `/recoveries/${id}`) }
}

/** Grounds an aircraft of a school. */
export const ground = (api: TestApp, school: School, id = school.plane.id) =>
  expectOk(api, school.admin, 'PATCH', `/resources/${id}/grounding`, { grounded: true, reason: 'Nose strut is flat' })

/** Builds a plane of the same make and model as the school's plane, of which both get one. */
export async function buildTwin(api: TestApp, school: School): Promise<School['plane']> {
  const twin = await buildPlane(api, school)
  await api.core.database.pool.query(
    "update resource set make = 'Cessna', model = '172S' where organization_id = $1 and id = any($2)",
    [school.organizationId, [school.plane.id, twin.id]],
  )
  return twin
}
