import { Migration } from '@mikro-orm/migrations'

/** What operators are told: why jobs wait, which events of the payment gateway no webhook brought, and the last backups. */
export class Migration20261126013402_what_is_stuck extends Migration {
  override up(): void {
    this.addSql(`
      alter table outbox add column failures integer not null default 0,
        add column last_failure text, add column last_failed_at timestamptz(3)`)
    this.addSql('alter table processor_event add column looked_up boolean not null default false')
    this.addSql('create table backup_mark (kind text primary key, at timestamptz(3) not null)')
  }
}
