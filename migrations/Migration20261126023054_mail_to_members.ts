import { Migration } from '@mikro-orm/migrations'

/** A mail to a member that was given up has its row too. */
export class Migration20261126023054_mail_to_members extends Migration {
  override up(): void {
    this.addSql(`
      alter table undelivered_mail
        add column membership_id integer,
        add unique (organization_id, membership_id),
        add foreign key (organization_id, membership_id) references membership (organization_id, id) on delete cascade,
        drop constraint undelivered_mail_check,
        add constraint undelivered_mail_check check (num_nonnulls(invitation_id, invoice_id, guest_id, membership_id) = 1)`)
  }
}
