//! Files in and out.

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Element, FileList, HtmlElement, Response};

/// A file that was opened.
pub type Opened = (String, Result<String, TooLarge>);

/// A file beyond the limit, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge(pub u64);

/// The byte order mark.
const MARK: char = '\u{feff}';

/// Reads files as text, in their order, and hands them over together.
pub fn read_files(files: &FileList, limit: u64, done: impl FnOnce(Vec<Opened>) + 'static) {
    let files: Vec<_> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    spawn_local(async move {
        let mut read = Vec::new();
        for file in files {
            let size = file.size() as u64;
            let text = if size > limit {
                Err(TooLarge(size))
            } else {
                // As bytes: a string of the browser's is turned into ours letter by letter.
                let bytes = JsFuture::from(AsRef::<Blob>::as_ref(&file).array_buffer()).await;
                // A file that vanished meanwhile reads as empty.
                Ok(bytes
                    .map_or_else(|_| String::new(), |bytes| text(Uint8Array::new(&bytes).to_vec())))
            };
            read.push((file.name(), text));
        }
        done(read);
    });
}

/// Bytes as text, as a browser decodes them: without a byte order mark, with `\u{fffd}` for what is not UTF-8.
fn text(bytes: Vec<u8>) -> String {
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    text
}

/// The text of a file of the site; none if it cannot be fetched.
pub async fn fetched(address: &str) -> Option<String> {
    let answer = JsFuture::from(web_sys::window()?.fetch_with_str(address)).await.ok()?;
    let answer: Response = answer.dyn_into().ok()?;
    if !answer.ok() {
        return None;
    }
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

/// Saves text as a file, by way of a link beside `from`.
pub fn save(from: &Element, name: &str, text: &str) -> Option<()> {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let blob = Blob::new_with_str_sequence(&parts).ok()?;
    let url = web_sys::Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlElement = from.owner_document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_attribute("href", &url).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    web_sys::Url::revoke_object_url(&url).ok()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn bytes_are_text_as_a_browser_decodes_them() {
        for (bytes, expected) in [
            (&b"kind: Pod"[..], "kind: Pod"),
            (b"\xef\xbb\xbfkind: Pod", "kind: Pod"),
            ("имя: вузол".as_bytes(), "имя: вузол"),
            (b"a\xffb", "a\u{fffd}b"),
            (b"\xef\xbb\xbf\xff", "\u{fffd}"),
            (b"", ""),
        ] {
            assert_eq!(text(bytes.to_vec()), expected, "{bytes:?}");
        }
    }
}
