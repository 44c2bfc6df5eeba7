//! The answers of the GitHub in memory, by the subject of the request.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{OWN, State, is_number};

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl State {
    pub(super) fn answer(
        &mut self,
        method: &str,
        path: &str,
        query: &str,
        body: &Value,
        may_write: bool,
    ) -> (u16, Value) {
        if method != "GET" && !may_write {
            return (403, json!({"message": "Resource not accessible by integration"}));
        }
        let path = path.strip_prefix("/repos/octo/shop").unwrap_or("/elsewhere");
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let answer = match parts.as_slice() {
            [] if method == "GET" => Some((200, json!({"default_branch": "main"}))),
            ["issues", ..] => self.answer_issues(method, &parts, body),
            ["git", "ref" | "refs", ..] => self.answer_refs(method, &parts, body),
            ["git", ..] | ["commits", _] => self.answer_objects(method, &parts, body),
            ["pulls", ..] => self.answer_pulls(method, &parts, query, body),
            ["commits", _, "check-runs"] | ["check-runs"] => self.answer_checks(method, &parts, body),
            ["collaborators", login, "permission"] if method == "GET" => {
                let permission = self.permissions.get(*login);
                permission.map(|permission| (200, json!({"permission": permission, "role_name": permission})))
            }
            _ => None,
        };
        answer.unwrap_or_else(|| (404, json!({"message": "Not Found"})))
    }

    fn answer_issues(&mut self, method: &str, parts: &[&str], body: &Value) -> Option<(u16, Value)> {
        Some(match (method, parts) {
            ("GET", ["issues"]) => {
                let open = self.issues.values().filter(|issue| issue["state"] == "open");
                (200, Value::from(open.cloned().collect::<Vec<_>>()))
            }
            ("GET", ["issues", number]) => (200, self.issues.get(&number.parse().ok()?)?.clone()),
            ("GET", ["issues", "100", "events"]) => (200, Value::from(self.events.clone())),
            ("GET", ["issues", number, "comments"]) => {
                let of = |comment: &&Value| is_number(&comment["issue"], number);
                (200, Value::from(self.comments.iter().filter(of).cloned().collect::<Vec<_>>()))
            }
            ("POST", ["issues", number, "comments"]) => {
                (201, self.comment(number.parse().expect("a number"), OWN, &text(&body["body"])))
            }
            ("PATCH", ["issues", "comments", id]) => {
                let at = self.tick();
                let comment = self.comments.iter_mut().find(|comment| is_number(&comment["id"], id))?;
                comment["body"] = body["body"].clone();
                comment["updated_at"] = json!(at);
                (200, comment.clone())
            }
            ("DELETE", ["issues", "comments", id]) => {
                self.comments.retain(|comment| !is_number(&comment["id"], id));
                (204, Value::Null)
            }
            _ => return None,
        })
    }

    /// Answers about commits, trees and blobs.
    fn answer_objects(&mut self, method: &str, parts: &[&str], body: &Value) -> Option<(u16, Value)> {
        Some(match (method, parts) {
            ("GET", ["commits", id]) => {
                let commit = self.commits.get(*id)?;
                let kind = if commit.author.ends_with("[bot]") { "Bot" } else { "User" };
                (
                    200,
                    json!({"sha": id, "author": {"login": commit.author, "type": kind}, "commit": {
                        "message": commit.message, "tree": {"sha": commit.tree}, "committer": {"date": commit.date}}}),
                )
            }
            ("GET", ["git", "trees", id]) => (200, self.folder(id)?),
            ("GET", ["git", "blobs", id]) => {
                let text = self.blobs.get(*id)?;
                let bytes = if text == "not text" { b"\xff\xfe".to_vec() } else { text.clone().into_bytes() };
                let packed =
                    STANDARD.encode(bytes).as_bytes().chunks(60).fold(String::new(), |all, line| {
                        all + std::str::from_utf8(line).expect("base64 is text") + "\n"
                    });
                (200, json!({"content": packed, "encoding": "base64"}))
            }
            ("POST", ["git", "trees"]) => {
                let mut tree = self.trees[&text(&body["base_tree"])].clone();
                for entry in body["tree"].as_array().expect("entries") {
                    match entry.get("content") {
                        Some(content) => tree.insert(text(&entry["path"]), text(content)),
                        None => tree.remove(&text(&entry["path"])),
                    };
                }
                (201, json!({"sha": self.keep_tree(tree)}))
            }
            ("POST", ["git", "commits"]) => {
                let parents = body["parents"].as_array().expect("parents").iter().map(text).collect();
                (201, json!({"sha": self.keep_commit(text(&body["tree"]), parents, &text(&body["message"]), OWN)}))
            }
            _ => return None,
        })
    }

    /// Answers about branches.
    fn answer_refs(&mut self, method: &str, parts: &[&str], body: &Value) -> Option<(u16, Value)> {
        Some(match (method, parts) {
            ("GET", ["git", "ref", "heads", branch @ ..]) => {
                (200, json!({"object": {"sha": self.refs.get(&branch.join("/"))?, "type": "commit"}}))
            }
            ("POST", ["git", "refs"]) => {
                let name = text(&body["ref"]).trim_start_matches("refs/heads/").to_owned();
                if self.refs.contains_key(&name) {
                    return Some((422, json!({"message": "Reference already exists"})));
                }
                self.refs.insert(name, text(&body["sha"]));
                (201, json!({"object": {"sha": body["sha"]}}))
            }
            ("PATCH", ["git", "refs", "heads", branch @ ..]) => {
                let (name, new) = (branch.join("/"), text(&body["sha"]));
                assert_eq!(body["force"], false, "a branch is never forced");
                match self.refs.get(&name).cloned() {
                    None => (422, json!({"message": "Reference does not exist"})),
                    Some(old) if !self.is_ancestor(&old, &new) => {
                        (422, json!({"message": "Update is not a fast forward"}))
                    }
                    Some(_) => {
                        self.refs.insert(name, new.clone());
                        self.dismiss(|review| review["commit_id"] != new.as_str(), Some(&new));
                        (200, json!({"object": {"sha": body["sha"]}}))
                    }
                }
            }
            _ => return None,
        })
    }

    /// Answers about pull requests and their reviews.
    fn answer_pulls(&mut self, method: &str, parts: &[&str], query: &str, body: &Value) -> Option<(u16, Value)> {
        Some(match (method, parts) {
            ("GET", ["pulls"]) => {
                let head = query.split('&').find_map(|pair| pair.strip_prefix("head=")).unwrap_or_default();
                let branch = head.replace("%3A", ":").replace("%2F", "/").replace("octo:", "");
                let found = self.pulls.iter().filter(|pull| pull["head"]["ref"] == branch);
                (200, Value::from(found.cloned().collect::<Vec<_>>()))
            }
            ("GET", ["pulls", number]) => {
                (200, self.pulls.iter().find(|pull| is_number(&pull["number"], number))?.clone())
            }
            ("POST", ["pulls"]) => {
                let branch = text(&body["head"]);
                let is_open = |pull: &Value| pull["head"]["ref"] == branch && pull["state"] == "open";
                if self.pulls.iter().any(is_open) {
                    return Some((422, json!({"message": "A pull request already exists for octo:reqgate."})));
                }
                if !self.refs.contains_key(&branch) {
                    return Some((422, json!({"message": "Validation Failed"})));
                }
                let number = 100 + self.pulls.len() as u64;
                let pull = json!({"number": number, "state": "open", "merged_at": null, "title": body["title"],
                    "body": body["body"], "head": {"ref": branch, "repo": {"full_name": "octo/shop"}}, "html_url": "https://github.com/octo/shop/pull/1"});
                self.pulls.push(pull.clone());
                (201, pull)
            }
            ("GET", ["pulls", number, "reviews"]) => {
                let of = |review: &&Value| is_number(&review["pull"], number);
                (200, Value::from(self.reviews.iter().filter(of).cloned().collect::<Vec<_>>()))
            }
            _ => return None,
        })
    }

    fn answer_checks(&mut self, method: &str, parts: &[&str], body: &Value) -> Option<(u16, Value)> {
        Some(match (method, parts) {
            ("GET", ["commits", id, "check-runs"]) => {
                let of = |check: &&Value| check["head_sha"] == *id;
                let found: Vec<Value> = self.checks.iter().filter(of).cloned().collect();
                (200, json!({"total_count": found.len(), "check_runs": found}))
            }
            ("POST", ["check-runs"]) => {
                let mut check = body.clone();
                check["id"] = json!(self.checks.len() + 1);
                self.checks.push(check.clone());
                (201, check)
            }
            _ => return None,
        })
    }
}
