import type pg from 'pg'
import { firstMember } from './seed-desk.ts'
import type { SchoolSize } from './seed-school.ts'

/**
 * Inserts the payments of paid invoices, credit notes, packages and their uses, one pay run per past month with the
 * flights of that month, and flight logs of the students. Needs the connection that `seedSchool` describes.
 */
export async function seedMoney(client: pg.ClientBase, organization: number, { members }: SchoolSize): Promise<void> {
  const run = (text: string, ...values: unknown[]) => client.query(text, [organization, ...values])
  await run(
    `insert into payment (organization_id, invoice_id, amount_cents, method, way, received_at, recorded_by, gateway_invoice_id,
       gateway_payment, overpaid_cents, overpaid_returned_at)
     select $1::int, id, 27000, case when offline then 'check' else 'card' end, case when offline then 'offline' else 'processor' end, paid_at,
       case when offline then ${firstMember} end, case when not offline then 'in_' || id end, case when not offline then 'pi_' || id end,
       case when over then 500 else 0 end, case when over then paid_at + interval '1 day' end
     from invoice, lateral (select id % 3 = 0 as offline, id % 200 = 1 as over) i where organization_id = $1 and status = 'paid'`,
  )
  await run(
    `insert into credit_note (organization_id, invoice_id, number, amount_cents, created_by, items, reason, refund, refund_cents,
       refund_status, refunded_at, refunded_cents)
     select $1::int, id, row_number() over (order by id), 1000, ${firstMember}, '[]', 'A shorter flight', 'offline', 1000, 'succeeded',
       paid_at + interval '1 day', 1000
     from invoice where organization_id = $1 and status = 'paid' and id % 100 = 0`,
  )
  await run(
    `update invoice set credited_cents = 1000, refunded_cents = 1000, refunded_at = paid_at + interval '1 day'
     where organization_id = $1 and status = 'paid' and id % 100 = 0`,
  )
  await run(
    `with made as (
       insert into package (organization_id, name, unit, grant_quantity, price_cents, active)
       select $1::int, 'Ten hours ' || n, 'deci_hours', 100, 150000, n % 4 > 0 from generate_series(1, 20) n returning id, name
     ), sold as (
       insert into package_purchase (organization_id, package_id, membership_id, invoice_id, name, unit, granted, remaining, used, price_cents)
       select $1::int, p.id, i.membership_id, i.id, p.name, 'deci_hours', 100, 60, 40, 150000
       from (select * from invoice where organization_id = $1 and status = 'paid' order by id limit $2::int) i
       join (select id, name, row_number() over (order by id) - 1 as n from made) p on p.n = i.id % 20
       returning id, invoice_id)
     insert into package_use (organization_id, purchase_id, invoice_id, quantity, covered_cents)
     select $1::int, sold.id, sold.invoice_id + n, 10, 15000 from sold, generate_series(0, 3) n`,
    Math.ceil(members / 10),
  )
  await run(
    `update membership set flight_pay_cents = 4000, ground_pay_cents = 3000 where organization_id = $1 and instructor`,
  )
  await run(
    `with month as (
       select date_trunc('month', signed_off_at) as at, count(*)::int as flights from reservation
       where organization_id = $1 and live and signed_off_at < date_trunc('month', now()) group by 1
     ), made as (
       insert into pay_run (organization_id, created_by, currency, start_date, end_date, flights, amount_cents, own)
       select $1::int, ${firstMember}, 'usd', to_char(at, 'YYYY-MM-DD'), to_char(at + interval '1 month' - interval '1 day', 'YYYY-MM-DD'),
         flights, flights * 5200::bigint, false from month order by at returning id, start_date)
     insert into pay_line (organization_id, pay_run_id, reservation_id, membership_id, adjustment, amount_cents, flight_pay_cents,
       flight_tenths, ground_tenths, sim_tenths, long_briefing, on_behalf, signed_off_at)
     select $1::int, made.id, r.id, s.membership_id, false, 5200, 4000, 13, 0, 0, r.id % 500 = 0, r.id % 700 = 0, r.signed_off_at
     from made join reservation r on r.organization_id = $1 and r.live
       and to_char(date_trunc('month', r.signed_off_at), 'YYYY-MM-DD') = made.start_date
     join seat s on s.reservation_id = r.id and s.side = 'instructors'`,
  )
  await run(
    `insert into flight_log (organization_id, reservation_id, membership_id, written_by, dual_received_tenths, day_landings, day_takeoffs)
     select $1::int, r.id, s.membership_id, s.membership_id, 13, 3, 3
     from reservation r join seat s on s.reservation_id = r.id and s.side = 'students'
     where r.organization_id = $1 and r.signed_off_at is not null`,
  )
}

/**
 * Inserts ten lessons per course; per enrollment one signed record of each lesson and a passed knowledge test; a grant
 * for one member in 200; and two expiring currencies with a record for one member in ten.
 */
export async function seedTraining(client: pg.ClientBase, organization: number): Promise<void> {
  const run = (text: string) => client.query(text, [organization])
  const firstInstructor = '(select min(id) from membership where organization_id = $1 and instructor)'
  await run(
    `with stage as (
       insert into syllabus_stage (organization_id, version_id, name, position)
       select $1::int, id, 'Solo', 0 from syllabus_version where organization_id = $1 returning id, version_id
     ), lesson as (
       insert into syllabus_lesson (organization_id, version_id, stage_id, name, kind, position)
       select $1::int, version_id, id, 'Lesson ' || n, 'flight', n from stage, generate_series(0, 9) n returning id, version_id)
     insert into training_record (organization_id, enrollment_id, version_id, lesson_id, instructor_id, graded_by, grade, trained_at,
       signed_at, signed_by, flight_tenths)
     select $1::int, e.id, e.version_id, lesson.id, ${firstInstructor}, ${firstInstructor}, 'S', now() - interval '100 days', now(),
       ${firstInstructor}, 13
     from enrollment e join lesson on lesson.version_id = e.version_id where e.organization_id = $1`,
  )
  await run(
    `insert into training_test (organization_id, membership_id, enrollment_id, kind, result, score, taken_at, recorded_by)
     select $1::int, membership_id, id, 'knowledge', 'passed', 90, now() - make_interval(days => id % 900), ${firstMember}
     from enrollment where organization_id = $1`,
  )
  await run(
    `insert into training_grant (organization_id, membership_id, kind, granted_by)
     select $1::int, id, 'manageEnrollment', ${firstMember} from membership where organization_id = $1 and id % 200 = 0`,
  )
  await run(
    `insert into desk_grant (organization_id, membership_id, kind, granted_by)
     select $1::int, id, 'cashier', ${firstMember} from membership where organization_id = $1 and id % 200 = 0`,
  )
  await run(
    `with made as (
       insert into currency (organization_id, name, kind) select $1::int, 'Check ' || n, 'expiring' from generate_series(1, 2) n
       returning id)
     insert into currency_record (organization_id, currency_id, membership_id, completed_at, expires_at, recorded_by)
     select $1::int, made.id, m.id, now() - interval '1 year', now() + make_interval(days => m.id % 700), ${firstMember}
     from made, membership m where m.organization_id = $1 and m.id % 10 = 0`,
  )
}
