import { z } from 'zod'
import { type ApplicationHours, applicationColumns } from '../../../shared/insight/logbook/application-hours.queries.ts'
import type { ReadinessView } from '../../../shared/training/readiness/readiness.access.ts'
import {
  evidenceKinds,
  itemGroups,
  itemOwners,
  itemStatuses,
  neededActions,
  type PrivateItem,
  type ReadinessItem as ReadinessItemRow,
  type Readiness as ReadinessRow,
  unknownReasons,
  verdicts,
} from '../../../shared/training/readiness/readiness.types.ts'
import type { ReadinessFacts } from '../../../shared/training/readiness/readiness-facts.types.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { DeciHours } from '../training.schemas.ts'

/** One thing that the test asks for. */
export const ReadinessItem = z
  .object({
    key: z.string().describe('As the guide *Before the practical test* lists them, such as `endorsement:A.1`'),
    group: z.enum(itemGroups),
    status: z
      .enum(itemStatuses)
      .describe('`ends_before`: ends before the day on which it is needed. `unknown`: `why` says why'),
    message: z.string().nullable().describe('null: not for this reader'),
    rule: z.string().describe('`school`: the school’s own, which does not bear on the verdict'),
    evidence: z.array(z.object({ kind: z.enum(evidenceKinds), id: Id }).meta({ id: 'ReadinessEvidence' })),
    why: z.enum(unknownReasons).optional(),
    needs: z
      .object({
        action: z.enum(neededActions),
        deciHours: DeciHours.optional(),
        count: z.int().optional(),
        lessonIds: z.array(Id).optional().describe('The lessons left that credit it'),
        code: z.string().optional().describe('Of the endorsement or the knowledge test'),
      })
      .meta({ id: 'ReadinessNeed' })
      .optional(),
    owner: z.enum(itemOwners).describe('Who acts next'),
    dueAt: Instant.nullable().describe('The test or the application, for which it is judged'),
  })
  .meta({ id: 'ReadinessItem' })

const Hours = z
  .object({
    byCategory: z
      .array(
        z
          .object({
            category: z.string().describe('Of the aircraft, or `simulator`'),
            deciHours: z.object(
              Object.fromEntries(applicationColumns.map((column) => [column, DeciHours])) as Record<
                (typeof applicationColumns)[number],
                typeof DeciHours
              >,
            ),
            landings: z.int(),
            nightLandings: z.int(),
          })
          .meta({ id: 'ApplicationHours' }),
      )
      .describe('The log at this school, in the columns of FAA Form 8710-1; time elsewhere is the pilot’s to add'),
    brought: z
      .array(
        z
          .object({ code: z.string(), label: z.string(), deciHours: DeciHours.optional(), count: z.int().optional() })
          .meta({ id: 'BroughtCredit' }),
      )
      .describe('Credit that no lesson posted: transfers, simulators, and what was posted by hand'),
  })
  .meta({ id: 'ReadinessHours' })

/** Whether a student is ready for the practical test. */
export const Readiness = z
  .object({
    verdict: z.enum(verdicts),
    at: Instant,
    applicationAt: Instant,
    open: z.int().describe('The number of items that bear on the verdict and are not met'),
    judgedAt: Instant.describe('The instant of the school’s records. They are no permission'),
    edition: z.string().describe('The edition of the circular of endorsements'),
    items: z.array(ReadinessItem).nullable().describe('null: the reader sees the verdict only'),
    hours: Hours.nullable().describe('null: the reader sees the verdict only, or the log could not be read'),
  })
  .meta({ id: 'Readiness' })

/** Returns the readiness as a reader sees it. Items that are withheld have their status and owner alone. */
export function readinessView(
  { items, at, applicationAt, ...judged }: ReadinessRow,
  {
    view,
    hours,
    now,
    edition,
  }: { view: ReadinessView; hours: z.input<typeof Hours> | null; now: Date; edition: string },
): z.input<typeof Readiness> {
  return {
    ...judged,
    at: iso(at),
    applicationAt: iso(applicationAt),
    judgedAt: iso(now),
    edition,
    items: view.items ? items.map((item) => itemView(item, view.withheld)) : null,
    hours: view.items ? hours : null,
  }
}

function itemView(
  { counts: _, dueAt, ...item }: ReadinessItemRow,
  withheld: ReadonlySet<PrivateItem>,
): z.input<typeof ReadinessItem> {
  const isWithheld = [...withheld].some((key) => key === item.key)
  if (!isWithheld) return { ...item, dueAt: iso(dueAt) }
  const { key, group, status, rule, owner } = item
  return { key, group, status, rule, owner, message: null, evidence: [], dueAt: null }
}

/** Returns the hours of the log and the credit that was brought; null when one of them could not be read. */
export function hoursView(
  log: readonly ApplicationHours[] | null,
  { experience }: Pick<ReadinessFacts, 'experience'>,
): z.input<typeof Hours> | null {
  if (log === null || experience === 'failed') return null
  return {
    byCategory: log.map(({ category, landings, nightLandings, ...deciHours }) => ({
      category,
      deciHours,
      landings,
      nightLandings,
    })),
    brought: experience.requirements
      .filter(({ brought }) => brought !== 0)
      .map(({ code, label, inHours, brought }) => ({
        code,
        label,
        ...(inHours ? { deciHours: brought } : { count: brought }),
      })),
  }
}
