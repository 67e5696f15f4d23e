import { Migration } from '@mikro-orm/migrations'

/** A mail that was given up stays on its member or guest until a mail about the same matter is delivered, at most 30 days. */
export class Migration20261127042000_mail_matters extends Migration {
  override isTransactional(): boolean {
    return false
  }

  override up(): void {
    this.addSql(`alter table undelivered_mail add column if not exists matters text[] not null default '{}'`)
    this.addSql(`
      create index concurrently if not exists undelivered_mail_given_up on undelivered_mail (given_up_at)
        where invitation_id is null and invoice_id is null`)
  }
}
