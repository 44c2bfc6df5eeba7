//! An action on other people's data, money or rights, and no word on who may take it.

use super::at;
use crate::model::{Finding, Genre, Span};
use crate::stages::scoring::findings::Context;

/// Actions that do harm in the wrong hands.
const ACTIONS: &[&str] = &[
    "delete users",
    "delete a user",
    "delete customers",
    "delete a customer",
    "delete any",
    "delete all",
    "bulk delete",
    "export all customers",
    "export customer data",
    "export all users",
    "export personal data",
    "export the customer list",
    "impersonate",
    "log in as another",
    "log in as the customer",
    "log in as a user",
    "issue a refund",
    "issue refunds",
    "refund an order",
    "refund the order",
    "refund orders",
    "refund a payment",
    "change the role",
    "change roles",
    "grant access",
    "reset the password of",
    "see salaries",
    "view salaries",
    "see the salary",
    "medical record",
    "medical records",
    "patient data",
    "change the price",
    "override the price",
    "waive the fee",
    "write off",
    "删除用户",
    "删除客户",
    "批量删除",
    "删除所有",
    "导出客户资料",
    "导出客户信息",
    "导出用户信息",
    "导出全部客户",
    "导出手机号",
    "代客登录",
    "模拟登录",
    "手动退款",
    "人工退款",
    "发起退款",
    "修改角色",
    "分配权限",
    "重置他人密码",
    "重置用户密码",
    "查看薪资",
    "查看工资",
    "查看病历",
    "修改价格",
    "手动改价",
    "调整余额",
    "修改余额",
];

/// Words that say who may, or that somebody checks.
const PERMISSIONS: &[&str] = &[
    "permission",
    "role",
    "admin",
    "manager",
    "supervisor",
    "authori",
    "allowed",
    "may ",
    "only ",
    "owner",
    "approv",
    "privilege",
    "access control",
    "access right",
    "rights",
    "four eyes",
    "lead",
    "head of",
    "own ",
    "auditor",
    "doctor",
    "nurse",
    "physician",
    "officer",
    "clinician",
    "hr ",
    "权限",
    "角色",
    "管理员",
    "主管",
    "经理",
    "仅",
    "只有",
    "只允许",
    "审批",
    "授权",
    "负责人",
    "本人",
    "自己",
    "店长",
    "医生",
    "护士",
    "财务",
    "超管",
];

/// One finding on the first sensitive action of a text that names no permission anywhere.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let genres =
        [Genre::AcceptanceCriterion, Genre::ShallStatement, Genre::GherkinStep, Genre::Demand, Genre::UserStory];
    for sentence in ctx.reading.sentences.iter().filter(|s| genres.contains(&s.genre) && !s.struck) {
        let words = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let action = ACTIONS.iter().find_map(|action| place_of(action, &words));
        let Some((found, length)) = action else { continue };
        let whole = ctx.text.to_ascii_lowercase();
        if PERMISSIONS.iter().any(|word| whole.contains(word)) {
            return Vec::new();
        }
        let start = sentence.span.start + found;
        let span = Span::new(start, start + length);
        return vec![at(span).with("term", span.slice(ctx.text))];
    }
    Vec::new()
}

/// Where an action stands, its verb with or without "s".
fn place_of(action: &str, words: &str) -> Option<(usize, usize)> {
    if let Some(found) = words.find(action) {
        return Some((found, action.len()));
    }
    let (verb, object) = action.split_once(' ')?;
    let third_person = format!("{verb}s {object}");
    words.find(&third_person).map(|found| (found, third_person.len()))
}
