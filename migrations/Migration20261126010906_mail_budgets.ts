import { Migration } from '@mikro-orm/migrations'

/**
 * Mails that strangers cause have counts of their own, mails that people must get have a reserved part, and an organization's
 * count is kept for each of its owners too. `day` is the start of what is counted: a day, or a day and an hour.
 */
export class Migration20261126010906_mail_budgets extends Migration {
  override up(): void {
    this.addSql('alter table mail_count drop constraint mail_count_scope_check')
    this.addSql("alter table mail_count add constraint mail_count_scope_check check (scope ~ '^[a-z_]+$')")
  }
}
