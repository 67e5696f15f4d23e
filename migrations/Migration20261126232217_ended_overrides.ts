import { Migration } from '@mikro-orm/migrations'

/** An override of a rule ends when its booking is cancelled and restored: the restored booking is judged anew. */
export class Migration20261126232217_ended_overrides extends Migration {
  override up(): void {
    this.addSql('alter table rule_override add column ended_at timestamptz(3)')
  }
}
