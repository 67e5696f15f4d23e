import { Migration } from '@mikro-orm/migrations'
import { referenceIndex, tenantRecord } from './tenant-record.ts'

/**
 * The kinds of currency that a regulation rules, the class of a medical and the course of BasicMed. The notices of ends
 * are kept by aircraft in a table of their own; that of the release before stays for its processes, and nothing reads it
 * any more.
 */
export class Migration20261122172029_currency_kinds extends Migration {
  override up(): void {
    this.addSql(`
      alter table currency_rule
        drop constraint currency_rule_kind_check,
        add constraint currency_rule_kind_check check (kind in ('expiring', 'recent_flights', 'passenger_day',
          'passenger_night', 'instrument', 'flight_review', 'medical', 'instructor_certificate')),
        add column privilege text check (privilege in ('airline_transport', 'commercial', 'private')),
        add constraint currency_rule_privilege check ((kind = 'medical') = (privilege is not null))`)
    this.addSql(`
      alter table currency_record
        add column medical_class text check (medical_class in ('first', 'second', 'third', 'basic')),
        add column course_at timestamptz(3),
        add constraint currency_record_course check ((medical_class = 'basic') is true = (course_at is not null))`)
    this.addSql(`
      create table currency_end_notice (${tenantRecord}
        transaction_id xid8,
        currency_rule_id integer not null,
        membership_id integer not null,
        scope text not null default '',
        told_for timestamptz(3) not null,
        told_days smallint not null,
        unique (organization_id, currency_rule_id, membership_id, scope),
        foreign key (organization_id, currency_rule_id) references currency_rule (organization_id, id) on delete cascade,
        foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade
      )`)
    this.addSql(referenceIndex('currency_end_notice', 'membership_id', { optional: false }))
    this.addSql(`
      insert into currency_end_notice (organization_id, currency_rule_id, membership_id, told_for, told_days)
      select organization_id, currency_rule_id, membership_id, told_for, told_days from currency_notice`)
    this.addSql(
      'create trigger write_stamp before insert or update on currency_end_notice for each row execute function stamp_row()',
    )
  }
}
