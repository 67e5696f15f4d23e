import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { ReportKey } from '../../../shared/insight/insight.tables.ts'
import { reportWindow } from '../../../shared/insight/reports/report-window.rules.ts'
import { type Actor, is } from '../../../shared/platform/authz/actor.ts'
import { admins, type Role, staff } from '../../../shared/platform/authz/roles.ts'
import type { Interval } from '../../../shared/platform/kernel/instants.ts'
import type { Chart } from './chart.ts'
import type { ReportParameters } from './reports.schemas.ts'

/** The reader of a report, and the time of the request. */
export interface Reader {
  actor: Pick<Actor, 'organizationId' | 'organization' | 'roles' | 'orgUserId' | 'grant'>
  now: Date
}

/** The inputs of a report: the reader's rights, the window and the organization's zone. */
export interface ReportContext<Parameters = ReportParameters> {
  organizationId: number
  reader: Reader['actor']
  settings: Actor['organization']['settings']
  parameters: Parameters
  /** Whether the reader sees money. */
  money: boolean
  now: Date
  zone: string
  /** Returns the window of the parameters. */
  window(): Interval
}

/** The name of a report. `balances` and `payments` cannot be saved as views; they only have their own endpoints. */
type ReportName = ReportKey | 'balances' | 'payments'

export type Cell = string | number | boolean | null
type Rows<Shape extends z.ZodObject> = z.input<Shape> & Record<string, Cell>

/** A report for one reader: the query, and the function that returns a row as the reader sees it. */
export interface OpenedReport {
  rows: RawBuilder<unknown>
  count?: ((most: number) => RawBuilder<{ rows: number }>) | undefined
  view(row: unknown): Record<string, Cell>
  chart?: ((rows: unknown[]) => Chart) | undefined
}

interface Definition<Query extends z.ZodObject, Shape extends z.ZodObject, Row> {
  key: ReportName
  summary: string
  description: string
  query: Query
  row: Shape
  /** The roles that may read the report, unless its route says otherwise; by default staff. */
  readers?: readonly Role[]
  /** The roles that see the columns with money; by default admins. */
  moneyFor?: readonly Role[]
  select(context: ReportContext<z.output<Query>>): RawBuilder<Row>
  /** Counts the rows, but at most `most` + 1. For reports that can have too many rows. */
  count?(context: ReportContext<z.output<Query>>, most: number): RawBuilder<{ rows: number }>
  view(row: Row, context: ReportContext<z.output<Query>>): Rows<Shape>
  /** Returns the chart of the rows, for reports that have one. */
  chart?(rows: Row[], context: ReportContext<z.output<Query>>): Chart
}

/** A report: its parameters, its row, and how to open it. */
export interface Report {
  key: ReportName
  summary: string
  description: string
  query: z.ZodObject
  row: z.ZodObject
  /** The roles that may read the report. */
  readers: readonly Role[]
  /** The columns of the CSV file, in order. */
  columns: readonly string[]
  hasChart: boolean
  /** Opens the report for one reader. */
  open(reader: Reader, parameters: ReportParameters): OpenedReport & { money: boolean }
}

/** Returns the report of a definition. Columns with money are null for readers who may not see money. */
export function defineReport<Query extends z.ZodObject, Shape extends z.ZodObject, Row>(
  definition: Definition<Query, Shape, Row>,
): Report {
  const { key, summary, description, query, row: shape, readers = staff, moneyFor = admins, chart } = definition
  return {
    key,
    summary,
    description,
    query,
    row: shape,
    readers,
    columns: Object.keys(shape.shape),
    hasChart: chart !== undefined,
    open(reader, parameters) {
      const context = contextOf(reader, parameters, moneyFor) as ReportContext<z.output<Query>>
      return {
        money: context.money,
        rows: definition.select(context),
        count: definition.count && ((most) => definition.count!(context, most)),
        view: (row) => withoutMoney(definition.view(row as Row, context), context.money),
        chart: chart && ((rows) => chart(rows as Row[], context)),
      }
    },
  }
}

function contextOf({ actor, now }: Reader, parameters: ReportParameters, moneyFor: readonly Role[]): ReportContext {
  const { timeZoneName: zone, settings } = actor.organization
  return {
    organizationId: actor.organizationId,
    reader: actor,
    settings,
    parameters,
    // Only endpoints that declare a grant let its holder in.
    money: is(actor as Actor, moneyFor) || actor.grant !== undefined,
    now,
    zone,
    window: () => reportWindow(parameters, now, zone),
  }
}

function withoutMoney(row: Record<string, Cell>, money: boolean): Record<string, Cell> {
  if (money) return row
  return Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, key.endsWith('Cents') ? null : cell]))
}
