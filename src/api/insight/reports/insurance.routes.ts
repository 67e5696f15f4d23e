import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { type InsuredMember, readInsuredMembers } from '../../../shared/insight/reports/insurance.queries.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { Day, envelope, Id } from '../../http/schemas.ts'
import { recordRead } from '../../identity/profiles/audited-reading.ts'
import { takePlace } from './report-places.ts'

const Prior = z.int().describe('Verified time as pilot in command elsewhere; no part of any other figure')

const InsuranceRow = z
  .object({
    orgUserId: Id,
    name: z.string(),
    reviewUntil: Day.nullable().describe('The last local day of the flight review; null: none on record'),
    medicalUntil: Day.nullable().describe('The last local day of the medical; null: none on record'),
    totalDeciHours: z.int(),
    last90DaysDeciHours: z.int(),
    complexDeciHours: z.int(),
    highPerformanceDeciHours: z.int(),
    tailwheelDeciHours: z.int(),
    priorPicDeciHours: Prior,
    models: z
      .array(
        z
          .object({
            model: z.string().nullable().describe('null: the make and model of the aircraft is not recorded'),
            deciHours: z.int(),
            last90DaysDeciHours: z.int(),
            priorPicDeciHours: Prior,
          })
          .meta({ id: 'InsuranceModel' }),
      )
      .describe('One entry per make and model'),
  })
  .meta({ id: 'InsuranceRow' })

const memberColumns = [
  'orgUserId',
  'name',
  'reviewUntil',
  'medicalUntil',
  'totalDeciHours',
  'last90DaysDeciHours',
  'complexDeciHours',
  'highPerformanceDeciHours',
  'tailwheelDeciHours',
  'priorPicDeciHours',
] as const satisfies (keyof InsuredMember)[]
const modelColumns = ['model', 'modelDeciHours', 'modelLast90DaysDeciHours', 'modelPriorPicDeciHours'] as const

/** The endpoint of the report for an insurer. Implements interface §Reports. */
export const insuranceReportRoutes: Routes = (on) => {
  on.get('/reports/insurance', {
    id: 'reportInsurance',
    computed: true,
    access: staff,
    tag: 'Reports',
    summary: 'Report the experience of pilots for an insurer',
    description:
      'Returns one row per member, by name: when the flight review and the medical expire, and the time flown in aircraft of this school, in all and by ' +
      'make and model. Instructors get themselves and their own students. The audit log has who read it, at most once in 24 hours. CSV has one ' +
      'row per member and make and model. Limits: 30 reports per hour and account, and two at a time per organization.',
    answers: { 200: envelope(z.array(InsuranceRow)) },
    formats: ['json', 'csv'],
    errors: [insightErrors.reportsRunning],
    read: async ({ db, actor, now, format, count, ...call }) => {
      await count([['reports', String(actor.accountId)]])
      const release = takePlace(actor.organizationId)
      try {
        await recordRead(call, actor, { kind: 'insurance.read' })
        if (format === 'csv') return await answerFile(db, actor, now)
        const rows: InsuredMember[] = []
        for await (const members of readInsuredMembers(db, actor, now)) rows.push(...members)
        return ok(rows)
      } finally {
        release()
      }
    },
  })
}

async function answerFile(db: Db, actor: Actor, now: Date) {
  const lines: Buffer[] = [csvLines([[...memberColumns, ...modelColumns]], { bom: true })]
  for await (const members of readInsuredMembers(db, actor, now)) lines.push(csvLines(members.flatMap(linesOf)))
  return fileAnswer(Buffer.concat(lines), 'csv', { name: 'insurance' })
}

/** Returns the lines of a member: one per make and model, or one without a model. */
function linesOf(member: InsuredMember) {
  const own = memberColumns.map((column) => member[column])
  if (member.models.length === 0) return [[...own, null, 0, 0, 0]]
  return member.models.map(({ model, deciHours, last90DaysDeciHours, priorPicDeciHours }) => [
    ...own,
    model,
    deciHours,
    last90DaysDeciHours,
    priorPicDeciHours,
  ])
}
