import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { dashboardQueries, monitoringFolder } from '../support/monitoring.ts'

/** `promtool` of Debian's package prometheus; `PROMTOOL` names another. */
const promtool = (...args: string[]) => promisify(execFile)(process.env.PROMTOOL ?? 'promtool', args)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightline-promtool-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A service in trouble for an hour: the values of its series, a minute apart. */
const inTrouble = [
  { series: 'up{job="flightline-api", instance="a"}', values: '0x60' },
  { series: 'flightline_outbox_oldest_seconds{instance="a"}', values: '90x60' },
  { series: 'flightline_jobs_total{job="notifications.mail-notification", outcome="given_up"}', values: '0+1x60' },
  { series: 'flightline_http_request_seconds_count{status="500"}', values: '0+5x60' },
  { series: 'flightline_http_request_seconds_count{status="200"}', values: '0+95x60' },
  { series: 'flightline_ready{instance="a"}', values: '0x60' },
  { series: 'flightline_jobs_stuck{instance="a", job="notifications.mail-notification"}', values: '40x60' },
  { series: 'flightline_jobs_total{job="unknown", outcome="left_alone"}', values: '0+1x60' },
  { series: 'flightline_disk_free_bytes{instance="a"}', values: '1000000x60' },
  { series: 'flightline_backup_age_seconds{instance="a", kind="backup"}', values: '100000x60' },
  { series: 'flightline_backup_age_seconds{instance="a", kind="journal"}', values: '7200x60' },
  { series: 'flightline_held{instance="a"}', values: '1x60' },
  { series: 'flightline_gateway_webhooks_missed{instance="a"}', values: '3x60' },
  { series: 'flightline_database_connections{instance="a", pool="work", state="waiting"}', values: '3x60' },
  { series: 'flightline_replica_lag_seconds{instance="a", replica="one:5432"}', values: '-1x60' },
  { series: 'flightline_replica_lag_seconds{instance="a", replica="two:5432"}', values: '30x60' },
  { series: 'flightline_replica_lag_seconds{instance="b", replica="one:5432"}', values: '-1x60' },
  { series: 'flightline_replica_lag_seconds{instance="b", replica="two:5432"}', values: '0.2x60' },
]

describe('promtool', () => {
  test('finds the alert rules in order', async () => {
    expect((await promtool('check', 'rules', join(monitoringFolder, 'alerts.yml'))).stdout).toContain('SUCCESS')
  })

  test('finds every query of the dashboard in order, as a rule', async () => {
    const rules = dashboardQueries().map(({ expr }, index) => ({ record: `dashboard:query_${index}`, expr }))
    const file = join(folder, 'dashboard.yml')
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules }] }))
    expect((await promtool('check', 'rules', file)).stdout).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  test('sees the alerts of a service in trouble, and no other', async () => {
    const file = join(folder, 'trouble.yml')
    const firing = [
      'FlightlineDown',
      'FlightlineErrors',
      'FlightlineJobsLate',
      'FlightlineJobsGivenUp',
      'FlightlineConnectionsWaiting',
      'FlightlineReplicasAway',
      'FlightlineNotReady',
      'FlightlineJobsStuck',
      'FlightlineJobsOfOtherRelease',
      'FlightlineDiskLow',
      'FlightlineBackupOld',
      'FlightlineJournalOld',
      'FlightlineHeld',
      'FlightlineWebhooksMissing',
    ]
    const quiet = [
      'FlightlineSlow',
      'FlightlineJobsStartLate',
      'FlightlineDeliveriesGivenUp',
      'FlightlineBackupMissing',
      'FlightlineJournalMissing',
    ]
    expect(await outcome(file, inTrouble, { at: '50m', firing, quiet })).toContain('SUCCESS')
  })

  test.each([
    { kinds: ['backup'], missing: ['FlightlineJournalMissing'] },
    { kinds: ['journal'], missing: ['FlightlineBackupMissing'] },
    { kinds: [], missing: ['FlightlineBackupMissing', 'FlightlineJournalMissing'] },
    { kinds: ['backup', 'journal'], missing: [] },
    { kinds: ['wal'], missing: [] },
  ])('sees that $missing.length of backup and journal never ran: $kinds', async ({ kinds, missing }) => {
    const series = [
      { series: 'flightline_ready{instance="a"}', values: '1x120' },
      ...kinds.map((kind) => ({
        series: `flightline_backup_age_seconds{instance="a", kind="${kind}"}`,
        values: '60x120',
      })),
    ]
    const both = ['FlightlineBackupMissing', 'FlightlineJournalMissing']
    const quiet = both.filter((alert) => !missing.includes(alert))
    expect(await outcome(join(folder, 'missing.yml'), series, { at: '90m', firing: missing, quiet })).toContain(
      'SUCCESS',
    )
  })
})

interface Expected {
  at: string
  firing: string[]
  quiet: string[]
}

/** Returns what promtool says of the alerts on these series: SUCCESS when those fire, and these do not. */
async function outcome(file: string, input_series: object[], { at, firing, quiet }: Expected): Promise<string> {
  const names = (list: string[], value: number) =>
    list.map((alert) => ({
      expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
      eval_time: at,
      exp_samples: [{ labels: '{}', value }],
    }))
  const promql_expr_test = [...names(firing, 1), ...names(quiet, 0)]
  const tests = [{ interval: '1m', input_series, promql_expr_test }]
  await writeFile(
    file,
    stringify({ rule_files: [join(monitoringFolder, 'alerts.yml')], evaluation_interval: '1m', tests }),
  )
  return (await promtool('test', 'rules', file)).stdout
}
