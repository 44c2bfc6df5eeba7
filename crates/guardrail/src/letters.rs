//! Letters that are taken for others: look-alikes of other scripts, small capitals, traditional Chinese characters.

use unicode_security::confusable_detection::skeleton;

/// Which scripts the letters of a word come from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scripts {
    latin: bool,
    lookalike: bool,
}

impl Scripts {
    pub(super) fn note(&mut self, c: char) {
        self.latin |= c.is_ascii_alphabetic();
        // Greek, Cyrillic, Armenian and Cherokee have letters that look like Latin ones.
        self.lookalike |= matches!(c, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}');
    }

    pub(super) fn has_lookalikes(self) -> bool {
        self.lookalike
    }
}

/// The word in Latin letters, one for each of its characters: if it mixes scripts, or if all of it looks Latin.
pub(super) fn unmasked(word: &str, scripts: Scripts) -> Option<Vec<char>> {
    let plain: Vec<char> = word.chars().map(latin).collect();
    let all_latin = word.chars().count() > 1 && plain.iter().all(char::is_ascii_alphabetic);
    (scripts.latin || all_latin).then_some(plain)
}

/// The Latin letter that a letter looks like, of the same case; itself where there is none.
fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut looks = skeleton(c.encode_utf8(&mut [0; 4])).collect::<Vec<char>>().into_iter();
    match (looks.next(), looks.next()) {
        // The table folds a capital I into l.
        (Some('l'), None) if c.is_uppercase() => 'I',
        (Some(look), None) if look.is_ascii_alphabetic() && c.is_lowercase() => look.to_ascii_lowercase(),
        (Some(look), None) if look.is_ascii_alphabetic() => look,
        _ => CAPITALS.iter().find(|(known, _)| *known == c).map_or(c, |(_, latin)| *latin),
    }
}

/// Look-alikes of Latin letters that the table of UTS 39 leaves out.
const CAPITALS: [(char, char); 8] =
    [('К', 'K'), ('к', 'k'), ('м', 'm'), ('т', 't'), ('н', 'h'), ('в', 'b'), ('Κ', 'K'), ('κ', 'k')];

/// The letter that a small capital of phonetic alphabets represents.
pub(super) fn small_capital(c: char) -> Option<char> {
    const SMALL: &str = "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɑaɡgⅼlℓl";
    let mut pairs = SMALL.chars();
    std::iter::from_fn(|| pairs.next().zip(pairs.next())).find(|(small, _)| *small == c).map(|(_, plain)| plain)
}

/// The simplified form of a traditional character, for those that occur in orders and in names of personal data.
pub(super) fn simplified(c: char) -> Option<char> {
    let (pairs, _) = TRADITIONAL.as_bytes().as_chunks::<PAIR>();
    let mut buffer = [0; 4];
    let written = c.encode_utf8(&mut buffer).as_bytes();
    let place = pairs.binary_search_by(|pair| pair[..PAIR / 2].cmp(written)).ok()?;
    TRADITIONAL[place * PAIR + PAIR / 2..].chars().next()
}

/// Bytes of two Chinese characters.
const PAIR: usize = 6;
/// Traditional characters in the order of their code points, each with its simplified form.
const TRADITIONAL: &str = "\
    並并來来係系個个們们傳传僅仅億亿優优兩两則则創创劃划動动務务勵励區区協协參参員员問问啓启啟启單单嚴严圍围圖图團团執执報报壓压實实審审寫写寬宽寶宝將将專专對对導导層层屬属帳账幫帮廣广彈弹後后從从復复態态\
    應应戶户換换擇择據据擬拟攔拦數数於于時时書书會会條条業业極极標标機机檢检權权歡欢氣气決决況况洩泄減减測测準准滿满漢汉灣湾為为無无獎奖獲获現现產产畫画異异當当發发盡尽確确碼码種种節节範范簡简級级細细終终\
    結结絕绝絡络給给統统經经維维網网線线編编縮缩總总績绩繞绕繫系續续羅罗義义聯联聽听臺台與与華华萬万蓋盖處处號号裝装複复規规視视訂订計计訊讯記记設设許许訴诉診诊評评詞词詢询試试詩诗話话該该詳详認认語语誠诚\
    誤误說说誰谁請请論论講讲謝谢證证識识譯译議议護护譽誉讀读變变讓让讚赞買买貼贴賞赏賣卖質质賬账購购贊赞車车輪轮輯辑輸输轉转這这連连進进過过達达違违適适選选遺遗還还邏逻釋释銀银錯错鏈链鏡镜鑰钥門门開开間间\
    閘闸關关際际隨随險险隱隐難难雲云電电頁页項项須须題题願愿類类顯显驗验體体鬆松點点齊齐";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traditional_characters_are_in_order() {
        assert!(TRADITIONAL.as_bytes().as_chunks::<PAIR>().0.is_sorted());
        assert!(TRADITIONAL.chars().step_by(2).all(|traditional| simplified(traditional).is_some()));
        assert_eq!(simplified('請'), Some('请'));
        assert_eq!(simplified('请'), None);
    }

    #[test]
    fn look_alikes_keep_their_case() {
        assert_eq!(
            ['\u{406}', '\u{399}', '\u{456}', 'А', 'а', 'Р', 'ѕ'].map(latin),
            ['I', 'I', 'i', 'A', 'a', 'P', 's']
        );
    }
}
